/* Random texts.
   SPDX-License-Identifier: MIT  */

#ifndef TEXT_H
#define TEXT_H

/* Writes LENGTH letters and a 0 to TEXT, shuffled so many ROUNDS.  */
void make_text(char *text, int length, int rounds);

#endif
