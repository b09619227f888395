! Integer, logical and character code.
subroutine sieve(n, p, k)
  integer, intent(in) :: n
  logical, intent(out) :: p(n)
  integer, intent(out) :: k
  integer :: i
  p = .true.
  p(1) = .false.
  do i = 2, int(sqrt(real(n)))
    if (p(i)) p(i * i : n : i) = .false.
  end do
  k = count(p)
end subroutine
subroutine histogram(n, x, h)
  integer, intent(in) :: n, x(n)
  integer, intent(inout) :: h(0:255)
  integer :: i
  do i = 1, n
    h(iand(x(i), 255)) = h(iand(x(i), 255)) + 1
  end do
end subroutine
subroutine bitsof(n, a, b)
  integer, intent(in) :: n
  integer(8), intent(inout) :: a(n), b(n)
  a = ieor(ishft(a, 3), b)
  b = ior(ishftc(b, 7), not(a))
  b(1) = popcnt(a(1)) + leadz(a(2)) + trailz(a(3))
end subroutine
subroutine upcase(s)
  character(*), intent(inout) :: s
  integer :: i, c
  do i = 1, len_trim(s)
    c = iachar(s(i:i))
    if (c >= 97 .and. c <= 122) s(i:i) = achar(c - 32)
  end do
end subroutine
function bisect(n, a, x) result(k)
  integer, intent(in) :: n
  real(8), intent(in) :: a(n), x
  integer :: k, lo, hi
  lo = 1; hi = n
  do while (lo < hi)
    k = (lo + hi) / 2
    if (a(k) < x) then
      lo = k + 1
    else
      hi = k
    end if
  end do
  k = lo
end function
subroutine sort2(n, a)
  integer, intent(in) :: n
  integer(2), intent(inout) :: a(n)
  integer(2) :: t
  integer :: i, j
  do i = 2, n
    t = a(i)
    j = i - 1
    do while (j >= 1)
      if (a(j) <= t) exit
      a(j + 1) = a(j)
      j = j - 1
    end do
    a(j + 1) = t
  end do
end subroutine
