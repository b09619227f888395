/*!
incore, Apache License 2.0. With CodeMirror, Lezer, style-mod, crelt, w3c-keyname and find-cluster-break (npm: @codemirror/*, @lezer/*, @marijn/*): Copyright (C) 2016-2024 by
Marijn Haverbeke and others, MIT:

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
// The editor: CodeMirror in a shadow tree, whose styles need no permission of the page's policy.
import {EditorState, StateEffect, StateField, Compartment} from "@codemirror/state";
import {EditorView, keymap, lineNumbers, highlightActiveLine, highlightActiveLineGutter, drawSelection, Decoration, placeholder} from "@codemirror/view";
import {defaultKeymap, history, historyKeymap, indentWithTab} from "@codemirror/commands";
import {StreamLanguage, syntaxHighlighting, HighlightStyle, bracketMatching} from "@codemirror/language";
import {autocompletion, completionKeymap} from "@codemirror/autocomplete";
import {searchKeymap, highlightSelectionMatches} from "@codemirror/search";
import {setDiagnostics, lintGutter} from "@codemirror/lint";
import {tags} from "@lezer/highlight";
import {assembly, c} from "./language.js";

const colours = HighlightStyle.define([
  {tag: tags.keyword, color: "var(--accent)", fontWeight: "600"}, {tag: tags.comment, color: "var(--soft)", fontStyle: "italic"}, {tag: tags.variableName, color: "var(--path)"},
  {tag: tags.number, color: "var(--good)"}, {tag: tags.labelName, color: "var(--warn)", fontWeight: "600"}, {tag: tags.meta, color: "var(--soft)"}, {tag: tags.string, color: "var(--good)"}, {tag: tags.typeName, color: "var(--path)"}]);

const theme = EditorView.theme({
  "&": {height: "100%", color: "var(--fg)", backgroundColor: "var(--card)", fontSize: "13px"}, ".cm-scroller": {fontFamily: 'ui-monospace, "DejaVu Sans Mono", monospace', lineHeight: "1.5"},
  ".cm-gutters": {backgroundColor: "var(--card)", color: "var(--soft)", border: "none"}, ".cm-activeLine, .cm-activeLineGutter": {backgroundColor: "color-mix(in srgb, var(--track) 60%, transparent)"},
  ".cm-cursor": {borderLeftColor: "var(--fg)"}, "&.cm-focused": {outline: "2px solid var(--accent)", outlineOffset: "-2px"}, ".cm-selectionBackground, &.cm-focused .cm-selectionBackground": {backgroundColor: "color-mix(in srgb, var(--accent) 28%, transparent) !important"},
  ".cm-tooltip": {backgroundColor: "var(--card)", border: "1px solid var(--line)", color: "var(--fg)"}, ".cm-tooltip-autocomplete ul li[aria-selected]": {backgroundColor: "var(--accent)", color: "var(--card)"},
  ".cm-panels": {backgroundColor: "var(--bg)", color: "var(--fg)"}, ".pointed": {backgroundColor: "var(--hot)"}, ".cm-diagnostic": {whiteSpace: "pre-wrap"}});

const point = StateEffect.define();
const pointed = StateField.define({
  create: () => Decoration.none,
  update(d, tr) {
    for (const e of tr.effects) if (e.is(point)) {
      const at = e.value;
      return at > 0 && at <= tr.state.doc.lines ? Decoration.set([Decoration.line({class: "pointed"}).range(tr.state.doc.line(at).from)]) : Decoration.none;
    }
    return d.map(tr.changes);
  },
  provide: f => EditorView.decorations.from(f),
});

// editor makes an editor in a node: language "assembly" or "c"; change is called when the text has changed.
export function editor(into, {language = "assembly", label, change, hint = ""}) {
  const host = document.createElement("div");
  host.className = "editor";
  into.replaceChildren(host);
  const root = host.attachShadow({mode: "open"});
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(":host { display: block; } .cm-editor { height: 100%; }");
  root.adoptedStyleSheets = [sheet];
  let words = [];
  const names = new Compartment();
  const source = context => completions(context, words);
  const view = new EditorView({
    root, parent: root,
    state: EditorState.create({doc: "", extensions: [
      lineNumbers(), lintGutter(), history(), drawSelection(), highlightActiveLine(), highlightActiveLineGutter(), bracketMatching(), highlightSelectionMatches(),
      language === "c" ? c() : StreamLanguage.define(assembly), syntaxHighlighting(colours), theme, pointed, EditorState.tabSize.of(8), placeholder(hint),
      names.of([]), autocompletion({override: language === "c" ? [] : [source], activateOnTyping: true, icons: false, maxRenderedOptions: 40}),
      keymap.of([...completionKeymap, ...defaultKeymap, ...historyKeymap, ...searchKeymap, indentWithTab]),
      EditorView.contentAttributes.of({"aria-label": label, spellcheck: "false", autocorrect: "off", autocapitalize: "off"}),
      EditorView.updateListener.of(u => { if (u.docChanged) change(); })]}),
  });
  return {
    view,
    get text() { return view.state.doc.toString(); },
    set text(s) { if (s !== view.state.doc.toString()) view.dispatch({changes: {from: 0, to: view.state.doc.length, insert: s}}); },
    set words(list) { words = list; },
    point(line) { view.dispatch({effects: point.of(line)}); },
    diagnose(list) {
      const d = view.state.doc;
      view.dispatch(setDiagnostics(view.state, list.filter(x => x.line > 0 && x.line <= d.lines).slice(0, 200).map(x => {
        const l = d.line(x.line), from = Math.min(l.to, l.from + Math.max(0, (x.col || 1) - 1));
        return {from, to: Math.max(from, l.to), severity: x.severity === "note" ? "info" : x.severity || "error", message: x.message + (x.hint ? `\n${x.hint}` : "")};
      })));
    },
  };
}

// completions are mnemonics at the beginning of a statement; elsewhere what the text has already: registers, labels.
function completions(context, mnemonics) {
  const word = context.matchBefore(/[%.\w]+/);
  if (!word || !context.explicit && word.to - word.from < 2) return null;
  const line = context.state.doc.lineAt(context.pos), before = line.text.slice(0, word.from - line.from);
  if (/(^|;|:)\s*$/.test(before)) return {from: word.from, options: mnemonics, validFor: /^[.\w]*$/};
  const seen = new Set(context.state.doc.sliceString(0, 50000).match(/%[a-z]\w+|\.?[A-Za-z_][\w.]+(?=:)|\b[xwvqdsrazt]\d+\b/g) || []);
  seen.delete(word.text);
  return {from: word.from, options: [...seen].map(s => ({label: s})), validFor: /^[%.\w]*$/};
}

