! 5-point Gauss-Seidel sweep in two dimensions: in place, so each update waits for the one before.
! The loop that the critical-path analysis of in-core models is usually shown on.
subroutine gauss_seidel(phi, ni, nk)
  implicit none
  integer, intent(in) :: ni, nk
  double precision, intent(inout) :: phi(0:ni + 1, 0:nk + 1)
  integer :: i, k
  do k = 1, nk
    do i = 1, ni
      phi(i, k) = 0.25d0 * (((phi(i, k - 1) + phi(i + 1, k)) + phi(i - 1, k)) + phi(i, k + 1))
    end do
  end do
end subroutine gauss_seidel
