! Lexicographic Gauss-Seidel sweep on a 2D grid, five-point stencil.
subroutine sweep(phi, n, m)
  implicit none
  integer, intent(in) :: n, m
  real(8), intent(inout) :: phi(0:n+1, 0:m+1)
  integer :: i, k
  do k = 1, m
    do i = 1, n
      phi(i, k) = 0.25d0 * (phi(i-1, k) + phi(i+1, k) + phi(i, k-1) + phi(i, k+1))
    end do
  end do
end subroutine
