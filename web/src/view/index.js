/*!
incore, Apache License 2.0. With dagre and graphlib (npm: @dagrejs/dagre, @dagrejs/graphlib): Copyright (c) 2012-2014 Chris Pettitt, MIT:

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in
all copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN
THE SOFTWARE.
*/
// What draws incore's documents: reports of code, comparisons, lists of loops, corpora.
import {tips, el} from "./dom.js";
import {report} from "./report.js";
import {loops, corpus, compared} from "./lists.js";

const views = {"incore.analyze": report, "incore.loops": loops, "incore.corpus": corpus, "incore.compare": compared};

// draw draws a document into a node; what it is says its schema.
// options: open(loop) is called where a loop of a list is chosen.
export function draw(into, doc, options = {}) {
  const kind = String(doc.schema || "incore.analyze").split("/")[0];
  into.replaceChildren(...(views[kind] ? views[kind](doc, options) : [el("p", {class: "diag error"}, `This page cannot show ${doc.schema}.`)]).filter(Boolean));
  tips();
}

// start draws the document that a page holds.
export function start() {
  const data = document.getElementById("document"), into = document.getElementById("report");
  tips();
  if (data && into) draw(into, JSON.parse(data.textContent));
}

export {el, tips};
