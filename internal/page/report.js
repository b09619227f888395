"use strict";
incore.draw(document.getElementById("report"), JSON.parse(document.getElementById("document").textContent));
