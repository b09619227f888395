! five points of a square, in Fortran's array notation
module f_stencil_data
  implicit none
  integer, parameter :: n = 36
  double precision :: a(n, n), b(n, n)
end module
subroutine init() bind(c)
  use f_stencil_data
  implicit none
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * 7 + j, 17) / 17d0; b(i, j) = 0
    end do
  end do
end subroutine
subroutine kernel() bind(c)
  use f_stencil_data
  implicit none
  integer :: t
  do t = 1, 8
    b(2:n-1, 2:n-1) = 0.2d0 * (a(2:n-1, 2:n-1) + a(1:n-2, 2:n-1) + a(3:n, 2:n-1) + a(2:n-1, 1:n-2) + a(2:n-1, 3:n))
    a(2:n-1, 2:n-1) = b(2:n-1, 2:n-1)
  end do
end subroutine
function check() bind(c) result(r)
  use, intrinsic :: iso_c_binding
  use f_stencil_data
  implicit none
  real(c_double) :: r
  integer :: i, j
  r = 0
  do j = 1, n
    do i = 1, n
      r = r + a(i, j) * mod(i + j, 5)
    end do
  end do
end function
