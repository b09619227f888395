# A formula for Homebrew. A release fills in url and sha256.
class Incore < Formula
  desc "Performance analysis of loops on CPU cores"
  homepage "https://example.org/incore"
  url "https://example.org/incore/archive/v0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license "Apache-2.0"
  head "https://example.org/incore.git", branch: "main"

  depends_on "go" => :build

  def install
    ENV["CGO_ENABLED"] = "0"
    system "go", "build", *std_go_args(ldflags: "-s -w"), "./cmd/incore"
    generate_completions_from_executable(bin/"incore", "completion")
  end

  test do
    (testpath/"sum.s").write <<~EOS
      1:	addsd (%rdi), %xmm0
      	addq $8, %rdi
      	cmpq %rsi, %rdi
      	jne 1b
    EOS
    assert_match "cycles/iteration", shell_output("#{bin}/incore analyze --arch zen4 sum.s")
  end
end
