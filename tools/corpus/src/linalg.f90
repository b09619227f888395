! Array syntax and loops over matrices.
subroutine mm(n, a, b, c)
  integer, intent(in) :: n
  double precision, intent(in) :: a(n, n), b(n, n)
  double precision, intent(inout) :: c(n, n)
  integer :: i, j, k
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
subroutine intrinsic_mm(a, b, c, t)
  real, intent(in) :: a(:, :), b(:, :)
  real, intent(out) :: c(:, :), t(:, :)
  c = matmul(a, b)
  t = transpose(c)
end subroutine
function energy(x, y, mask) result(e)
  double precision, intent(in) :: x(:), y(:)
  logical, intent(in) :: mask(:)
  double precision :: e
  e = sum(x * y, mask) + maxval(abs(x)) - dot_product(x, y) / count(mask)
end function
subroutine where_construct(a, b)
  real, intent(inout) :: a(:)
  real, intent(in) :: b(:)
  where (a > b)
    a = sqrt(a)
  elsewhere
    a = a ** 2 + b
  end where
end subroutine
subroutine thomas(n, a, b, c, d, x)
  integer, intent(in) :: n
  double precision, intent(in) :: a(n), c(n)
  double precision, intent(inout) :: b(n), d(n)
  double precision, intent(out) :: x(n)
  double precision :: w
  integer :: i
  do i = 2, n
    w = a(i) / b(i - 1)
    b(i) = b(i) - w * c(i - 1)
    d(i) = d(i) - w * d(i - 1)
  end do
  x(n) = d(n) / b(n)
  do i = n - 1, 1, -1
    x(i) = (d(i) - c(i) * x(i + 1)) / b(i)
  end do
end subroutine
elemental function smoothstep(x) result(y)
  real, intent(in) :: x
  real :: y, t
  t = min(max(x, 0.0), 1.0)
  y = t * t * (3.0 - 2.0 * t)
end function
recursive function power(b, n) result(r)
  double precision, intent(in) :: b
  integer, intent(in) :: n
  double precision :: r
  if (n == 0) then
    r = 1
  else if (mod(n, 2) == 0) then
    r = power(b * b, n / 2)
  else
    r = b * power(b, n - 1)
  end if
end function
