! C = C + A B, in Fortran
module f_matmul_data
  implicit none
  integer, parameter :: n = 28
  double precision :: a(n, n), b(n, n), c(n, n)
end module
subroutine init() bind(c)
  use f_matmul_data
  implicit none
  integer :: i, j
  do j = 1, n
    do i = 1, n
      a(i, j) = mod(i * 7 + j, 17) / 17d0; b(i, j) = mod(i + 5 * j, 13) / 13d0; c(i, j) = 0
    end do
  end do
end subroutine
subroutine kernel() bind(c)
  use f_matmul_data
  implicit none
  integer :: i, j, k
  do j = 1, n
    do k = 1, n
      do i = 1, n
        c(i, j) = c(i, j) + a(i, k) * b(k, j)
      end do
    end do
  end do
end subroutine
function check() bind(c) result(r)
  use, intrinsic :: iso_c_binding
  use f_matmul_data
  implicit none
  real(c_double) :: r
  integer :: i, j
  r = 0
  do j = 1, n
    do i = 1, n
      r = r + c(i, j) * mod(i + j, 5)
    end do
  end do
end function
