/* Records of samples.
   SPDX-License-Identifier: MIT  */

#ifndef RECORDER_H
#define RECORDER_H

/* Adds a sample to the record that all threads share.  */
void record_sample(double value);
/* Returns the mean of the samples so far.  */
double recorded_mean(void);

#endif
