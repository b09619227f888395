# Runs install and test of a formula for Homebrew as brew does, with a stand-in of the part of its language that ours uses.
# Called with the formula, a folder to install in, and one for its test.
require 'fileutils'
require 'open3'
require 'pathname'

class Pathname
  def write(text)
    FileUtils.mkdir_p(dirname)
    File.write(to_s, text)
  end
end

class Formula
  GIVEN = {}
  class << self
    %i[desc homepage url sha256 license].each { |field| define_method(field) { |value| GIVEN[field] = value } }

    def head(*, **) end

    def depends_on(what) GIVEN[:depends_on] = what end

    def test(&block) GIVEN[:test] = block end
  end

  attr_reader :prefix, :testpath

  def initialize(prefix, testpath)
    @prefix = Pathname(prefix)
    @testpath = Pathname(testpath)
  end

  def bin = prefix/"bin"

  def std_go_args(ldflags:) = ["-trimpath", "-o=#{bin}/incore", "-ldflags=#{ldflags}"]

  def system(*words) = Kernel.system(*words.map(&:to_s)) || raise("#{words}: #{$?}")

  def generate_completions_from_executable(program, *words)
    %w[bash zsh fish].each do |shell|
      text, status = Open3.capture2(program.to_s, *words, shell)
      raise "no completion for #{shell}" unless status.success? && text.include?("incore")
    end
  end

  def shell_output(command)
    text = `#{command}`
    raise "#{command}: #{$?}" unless $?.success?
    text
  end

  def assert_match(want, text) = text.include?(want) || raise("#{want} is not in #{text}")
end

load ARGV[0]
formula = Incore.new(*ARGV[1, 2])
formula.install
Dir.chdir(ARGV[2]) { formula.instance_eval(&Formula::GIVEN[:test]) }
missing = %i[desc homepage url sha256 license depends_on] - Formula::GIVEN.keys
raise "no #{missing}" unless missing.empty?
