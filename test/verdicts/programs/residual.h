/* Checks of factorisations.
   SPDX-License-Identifier: MIT  */

#ifndef RESIDUAL_H
#define RESIDUAL_H

/* Returns the largest difference between A and the product of its factors in LU.  */
double residual(const double *a, const double *lu, int n);

#endif
