{
  description = "Performance analysis of loops on CPU cores";

  inputs.nixpkgs.url = "github:NixOS/nixpkgs/nixos-unstable";

  outputs = { self, nixpkgs }:
    let
      systems = [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ];
      each = f: nixpkgs.lib.genAttrs systems (system: f nixpkgs.legacyPackages.${system});
    in {
      packages = each (pkgs: {
        default = pkgs.buildGoModule {
          pname = "incore";
          version = "0.2.0";
          src = self;
          # go test -run VendorHash ./tools/dist computes it; Nix, too, prints the right one where this is wrong.
          vendorHash = "sha256-0CmixkdvJ8eULg6Sl4G1rUHiMwjQcOJ5KPPW8K/4udE=";
          subPackages = [ "cmd/incore" ];
          env.CGO_ENABLED = "0";
          ldflags = [ "-s" "-w" "-X incore/internal/cli.Commit=${self.rev or "dirty"}" ];
          nativeBuildInputs = [ pkgs.installShellFiles ];
          doCheck = false; # the tests compare with tools that are not inputs
          postInstall = ''
            installShellCompletion --cmd incore \
              --bash <($out/bin/incore completion bash) \
              --zsh <($out/bin/incore completion zsh) \
              --fish <($out/bin/incore completion fish)
          '';
          meta = {
            description = "Performance analysis of loops on CPU cores";
            license = pkgs.lib.licenses.asl20;
            mainProgram = "incore";
          };
        };
      });
    };
}
