! The Gauss-Seidel sweep unrolled four times by hand. Within the four updates the left neighbour stays
! in a register; from one round to the next it goes through memory (store, then load).
subroutine gauss_seidel_u4(phi, ni, nk)
  implicit none
  integer, intent(in) :: ni, nk ! ni is a multiple of 4
  double precision, intent(inout) :: phi(0:ni + 1, 0:nk + 1)
  double precision :: left
  integer :: i, k
  do k = 1, nk
    do i = 1, ni, 4
      left = phi(i - 1, k)
      left = 0.25d0 * (((phi(i, k - 1) + phi(i + 1, k)) + left) + phi(i, k + 1))
      phi(i, k) = left
      left = 0.25d0 * (((phi(i + 1, k - 1) + phi(i + 2, k)) + left) + phi(i + 1, k + 1))
      phi(i + 1, k) = left
      left = 0.25d0 * (((phi(i + 2, k - 1) + phi(i + 3, k)) + left) + phi(i + 2, k + 1))
      phi(i + 2, k) = left
      left = 0.25d0 * (((phi(i + 3, k - 1) + phi(i + 4, k)) + left) + phi(i + 3, k + 1))
      phi(i + 3, k) = left
    end do
  end do
end subroutine gauss_seidel_u4
