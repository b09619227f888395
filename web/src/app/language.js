// Highlighting of assembly (AT&T and Intel syntax of x86, A64, RISC-V) and of C.
import {StreamLanguage} from "@codemirror/language";

const register = /^(%[a-z]\w*(\(\d\))?|[re]?(ax|bx|cx|dx|si|di|sp|bp)l?|[abcd][lh]|r\d+[bwd]?|[xyz]mm\d+|k[0-7]|[xwvqdshbzp]\d+(\.\d*[bhsdq])?(\[\d+\])?|xzr|wzr|sp|lr|zero|ra|gp|tp|[ast]\d+|f[ast]\d+)\b/;

export const assembly = {
  name: "assembly",
  startState: () => ({start: true, comment: false}),
  token(s, state) {
    if (state.comment) { if (s.match(/^.*?\*\//)) state.comment = false; else s.skipToEnd(); return "comment"; }
    if (s.sol()) state.start = true;
    if (s.eatSpace()) return null;
    if (s.match("/*")) { state.comment = true; return "comment"; }
    if (s.match(/^(\/\/|#(?![-\w(]+(,|\]|$|\s))|;\s*[A-Z#-]).*/) || state.start && s.match(/^#.*/) || s.match(/^(#\s|@\s|;;).*/)) { return "comment"; }
    if (s.match(/^"([^"\\]|\\.)*"?/)) return "string";
    if (state.start) {
      if (s.match(/^[\w.$@]+:/)) return "labelName";
      if (s.match(/^\.[\w.]+/)) { state.start = false; return "meta"; }
      if (s.match(/^(lock|rep[nez]*|notrack|bnd)\b/i)) return "keyword";
      if (s.match(/^[A-Za-z][\w.]*/)) { state.start = false; return "keyword"; }
    }
    if (s.match(";")) { state.start = true; return null; }
    if (s.match(register)) return "variableName";
    if (s.match(/^[$#]?-?(0x[\da-f]+|\d+(\.\d+)?)[fb]?\b/i)) return "number";
    if (s.match(/^(byte|word|dword|qword|xmmword|ymmword|zmmword|ptr|offset|lsl|uxtw|sxtw|mul vl)\b/i)) return "typeName";
    if (s.match(/^\.?[\w.$@]+/)) return null;
    s.next();
    return null;
  },
  tokenTable: {},
  languageData: {commentTokens: {line: "#"}},
};

const cWords = /^(auto|break|case|const|continue|default|do|else|enum|extern|for|goto|if|inline|register|restrict|return|sizeof|static|struct|switch|typedef|union|volatile|while|class|template|typename|namespace|using|constexpr|__restrict__?)\b/;
const cTypes = /^(void|char|short|int|long|float|double|signed|unsigned|bool|size_t|u?int(8|16|32|64)_t)\b/;

export const c = () => StreamLanguage.define({
  name: "c",
  startState: () => ({comment: false}),
  token(s, state) {
    if (state.comment) { if (s.match(/^.*?\*\//)) state.comment = false; else s.skipToEnd(); return "comment"; }
    if (s.eatSpace()) return null;
    if (s.match("/*")) { state.comment = true; return "comment"; }
    if (s.match(/^\/\/.*/)) return "comment";
    if (s.match(/^#\s*\w+/)) return "meta";
    if (s.match(/^("([^"\\]|\\.)*"?|'([^'\\]|\\.)*'?)/)) return "string";
    if (s.match(cWords)) return "keyword";
    if (s.match(cTypes)) return "typeName";
    if (s.match(/^(0x[\da-f]+|\d+(\.\d*)?(e[+-]?\d+)?)[ulf]*\b/i)) return "number";
    if (s.match(/^\w+/)) return null;
    s.next();
    return null;
  },
  languageData: {commentTokens: {line: "//"}},
});
