# The attributes of the flake's package, with stand-ins of nixpkgs' functions.
let
  lib = {
    genAttrs = names: f: builtins.listToAttrs (map (name: { inherit name; value = f name; }) names);
    licenses.asl20 = "Apache-2.0";
  };
  pkgs = system: { inherit lib; buildGoModule = a: removeAttrs a [ "src" ] // { inherit system; }; installShellFiles = "installShellFiles"; };
  flake = (import ../../../flake.nix).outputs {
    self.rev = "0123abcd";
    nixpkgs = { inherit lib; legacyPackages = lib.genAttrs [ "x86_64-linux" "aarch64-linux" "x86_64-darwin" "aarch64-darwin" ] pkgs; };
  };
in map (system: flake.packages.${system}.default) (builtins.attrNames flake.packages)
