! a first-order recurrence, in Fortran
module f_recurrence_data
  implicit none
  integer, parameter :: n = 1200
  double precision :: x(n), y(n)
end module
subroutine init() bind(c)
  use f_recurrence_data
  implicit none
  integer :: i, j
  j = 0
  do i = 1, n
    x(i) = mod(i * 7, 17) / 17d0; y(i) = 0
  end do
end subroutine
subroutine kernel() bind(c)
  use f_recurrence_data
  implicit none
  integer :: i, t
  do t = 1, 4
    do i = 2, n
      y(i) = 0.5d0 * y(i - 1) + x(i) + t
    end do
  end do
end subroutine
function check() bind(c) result(r)
  use, intrinsic :: iso_c_binding
  use f_recurrence_data
  implicit none
  real(c_double) :: r
  integer :: i, j
  r = 0
  j = 0
  do i = 1, n
    r = r + y(i) * mod(i, 5)
  end do
end function
