! Relaxation: Jacobi, Gauss-Seidel, SOR in two and three dimensions.
subroutine jacobi(n, m, a, b)
  integer, intent(in) :: n, m
  double precision, intent(in) :: a(n, m)
  double precision, intent(out) :: b(n, m)
  integer :: i, j
  do j = 2, m - 1
    do i = 2, n - 1
      b(i, j) = 0.25d0 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1))
    end do
  end do
end subroutine
subroutine gauss_seidel(n, m, phi)
  integer, intent(in) :: n, m
  double precision, intent(inout) :: phi(n, m)
  integer :: i, j
  do j = 2, m - 1
    do i = 2, n - 1
      phi(i, j) = 0.25d0 * (phi(i, j - 1) + phi(i + 1, j) + phi(i, j + 1) + phi(i - 1, j))
    end do
  end do
end subroutine
subroutine sor3(n, u, f, omega, res)
  integer, intent(in) :: n
  real, intent(inout) :: u(n, n, n)
  real, intent(in) :: f(n, n, n), omega
  real, intent(out) :: res
  integer :: i, j, k
  real :: r
  res = 0
  do k = 2, n - 1
    do j = 2, n - 1
      do i = 2, n - 1
        r = (u(i-1,j,k) + u(i+1,j,k) + u(i,j-1,k) + u(i,j+1,k) + u(i,j,k-1) + u(i,j,k+1) - f(i,j,k)) / 6.0 - u(i,j,k)
        u(i,j,k) = u(i,j,k) + omega * r
        res = max(res, abs(r))
      end do
    end do
  end do
end subroutine
subroutine upwind(n, q, v, dt, dx, w)
  integer, intent(in) :: n
  double precision, intent(in) :: q(n), v(n), dt, dx
  double precision, intent(out) :: w(n)
  integer :: i
  do i = 2, n - 1
    if (v(i) > 0) then
      w(i) = q(i) - dt / dx * v(i) * (q(i) - q(i - 1))
    else
      w(i) = q(i) - dt / dx * v(i) * (q(i + 1) - q(i))
    end if
  end do
end subroutine
