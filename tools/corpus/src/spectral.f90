! Complex arithmetic and transforms.
subroutine fft2(n, x, w)
  integer, intent(in) :: n
  complex(8), intent(inout) :: x(0:n-1)
  complex(8), intent(in) :: w(0:n-1)
  integer :: m, k, j
  complex(8) :: t
  m = 1
  do while (m < n)
    do k = 0, n - 1, 2 * m
      do j = 0, m - 1
        t = w(j * (n / (2 * m))) * x(k + j + m)
        x(k + j + m) = x(k + j) - t
        x(k + j) = x(k + j) + t
      end do
    end do
    m = 2 * m
  end do
end subroutine
subroutine su3(u, v, w, n)
  integer, intent(in) :: n
  complex, intent(in) :: u(3, 3, n), v(3, 3, n)
  complex, intent(out) :: w(3, 3, n)
  integer :: i, j, k, s
  do s = 1, n
    do j = 1, 3
      do i = 1, 3
        w(i, j, s) = 0
        do k = 1, 3
          w(i, j, s) = w(i, j, s) + u(i, k, s) * conjg(v(j, k, s))
        end do
      end do
    end do
  end do
end subroutine
function spectrum(n, x) result(p)
  integer, intent(in) :: n
  complex(8), intent(in) :: x(n)
  double precision :: p
  integer :: i
  p = 0
  do i = 1, n
    p = p + real(x(i)) ** 2 + aimag(x(i)) ** 2
  end do
  p = log10(p) + atan2(aimag(x(1)), real(x(1)))
end function
subroutine cdivs(n, a, b)
  integer, intent(in) :: n
  complex(8), intent(inout) :: a(n)
  complex(8), intent(in) :: b(n)
  a = a / b + exp(cmplx(0d0, 1d0, 8) * abs(b))
end subroutine
