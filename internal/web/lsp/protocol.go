package lsp

import "encoding/json"

// This file holds the parts of the Language Server Protocol 3.17 that the server uses, with the protocol's own names.

// Position is a place in a document. Character counts bytes or UTF-16 units, as client and server have agreed.
type Position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// Range is a part of a document, without its end.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a range in a document.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

type documentID struct {
	URI string `json:"uri"`
}

// documentParams are the parameters of requests about a document or a place in it; each request uses some of the fields.
type documentParams struct {
	TextDocument documentID `json:"textDocument"`
	Position     Position   `json:"position"`
	Range        Range      `json:"range"`
}

type openParams struct {
	TextDocument struct {
		URI        string `json:"uri"`
		LanguageID string `json:"languageId"`
		Version    int    `json:"version"`
		Text       string `json:"text"`
	} `json:"textDocument"`
}

type changeParams struct {
	TextDocument struct {
		URI     string `json:"uri"`
		Version int    `json:"version"`
	} `json:"textDocument"`
	ContentChanges []change `json:"contentChanges"`
}

// change replaces a range of a document, or all of it if there is no range.
type change struct {
	Range *Range `json:"range"`
	Text  string `json:"text"`
}

type initializeParams struct {
	ProcessID        *int            `json:"processId"`
	RootURI          string          `json:"rootUri"`
	WorkspaceFolders []documentID    `json:"workspaceFolders"`
	Options          json.RawMessage `json:"initializationOptions"`
	Capabilities     struct {
		General struct {
			PositionEncodings []string `json:"positionEncodings"`
		} `json:"general"`
		Workspace struct {
			Configuration bool `json:"configuration"`
			CodeLens      struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"codeLens"`
			InlayHint struct {
				RefreshSupport bool `json:"refreshSupport"`
			} `json:"inlayHint"`
		} `json:"workspace"`
		Window struct {
			ShowDocument struct {
				Support bool `json:"support"`
			} `json:"showDocument"`
		} `json:"window"`
	} `json:"capabilities"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

type hover struct {
	Contents markup `json:"contents"`
	Range    *Range `json:"range,omitempty"`
}

type inlayHint struct {
	Position    Position `json:"position"`
	Label       string   `json:"label"`
	Tooltip     string   `json:"tooltip,omitempty"`
	PaddingLeft bool     `json:"paddingLeft"`
}

type command struct {
	Title     string `json:"title"`
	Command   string `json:"command"`
	Arguments []any  `json:"arguments,omitempty"`
}

type codeLens struct {
	Range   Range    `json:"range"`
	Command *command `json:"command"`
}

type diagnostic struct {
	Range    Range  `json:"range"`
	Severity int    `json:"severity"`
	Code     string `json:"code,omitempty"`
	Source   string `json:"source"`
	Message  string `json:"message"`
}

// Severities of diagnostics.
const (
	severityError   = 1
	severityWarning = 2
	severityInfo    = 3
	severityHint    = 4
)

type publishParams struct {
	URI         string       `json:"uri"`
	Version     int          `json:"version"`
	Diagnostics []diagnostic `json:"diagnostics"`
}

type completionItem struct {
	Label    string `json:"label"`
	Kind     int    `json:"kind"`
	Detail   string `json:"detail,omitempty"`
	TextEdit *edit  `json:"textEdit,omitempty"`
}

type edit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

// Kinds of completions.
const (
	kindReference = 18 // a label
	kindKeyword   = 14 // a mnemonic
	kindVariable  = 6  // a register
	kindEnum      = 20 // a machine
)

type completionList struct {
	IsIncomplete bool             `json:"isIncomplete"`
	Items        []completionItem `json:"items"`
}

type symbol struct {
	Name           string `json:"name"`
	Detail         string `json:"detail,omitempty"`
	Kind           int    `json:"kind"`
	Range          Range  `json:"range"`
	SelectionRange Range  `json:"selectionRange"`
}

// symbolOperator is the kind of symbol as which editors list loops.
const symbolOperator = 25

type executeParams struct {
	Command   string            `json:"command"`
	Arguments []json.RawMessage `json:"arguments"`
}

type showDocumentParams struct {
	URI       string `json:"uri"`
	External  bool   `json:"external"`
	TakeFocus bool   `json:"takeFocus"`
}

type messageParams struct {
	Type    int    `json:"type"` // 1: error, 2: warning, 3: info
	Message string `json:"message"`
}
