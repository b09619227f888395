"""Prints the build of a conda recipe as rattler-build renders it, one line of JSON for each platform. Called with the recipe."""
import json
import pathlib
import sys

import rattler_build as rb

recipe = rb.Stage0Recipe.from_file(pathlib.Path(sys.argv[1]))
for platform in ["linux-64", "win-64", "osx-arm64"]:
    config = rb.RenderConfig(platform=rb.PlatformConfig(target_platform=platform))
    print(json.dumps(recipe.render(rb.VariantConfig(), config)[0].recipe.to_dict()))
