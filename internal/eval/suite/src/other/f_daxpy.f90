! y = y + a x in single precision, in Fortran
module f_daxpy_data
  implicit none
  integer, parameter :: n = 2400
  real :: x(n), y(n)
end module
subroutine init() bind(c)
  use f_daxpy_data
  implicit none
  integer :: i, j
  j = 0
  do i = 1, n
    x(i) = mod(i * 7, 17) / 17.0; y(i) = mod(i, 5)
  end do
end subroutine
subroutine kernel() bind(c)
  use f_daxpy_data
  implicit none
  integer :: i, t
  do t = 1, 80
    do i = 1, n
      y(i) = y(i) + 0.5 * x(i)
    end do
  end do
end subroutine
function check() bind(c) result(r)
  use, intrinsic :: iso_c_binding
  use f_daxpy_data
  implicit none
  real(c_double) :: r
  integer :: i, j
  r = 0
  j = 0
  do i = 1, n
    r = r + y(i) * mod(i, 5)
  end do
end function
