package main

import "encoding/json"

// source is the content of the JSON files; field names follow the extraction's schema.
type source struct {
	forms struct {
		LLVM     string             `json:"llvm"`
		Flags    []string           `json:"flags"`
		Operands map[string]opClass `json:"operands"`
		Preds    map[string]string  `json:"predicates"`
		Classes  []string           `json:"schedClasses"`
		Forms    []form             `json:"forms"`
		RVV      map[string][][]int `json:"rvv"`
	}
	match struct {
		Variants  []string            `json:"variants"`
		Mnemonics []string            `json:"mnemonics"`
		Kinds     []string            `json:"kinds"`
		Tokens    map[string]string   `json:"tokens"`
		Sup       map[string][]string `json:"sup"`
		Pred      map[string]string   `json:"pred"`
		RegKind   map[string]string   `json:"regKind"`
		Features  [][]json.RawMessage `json:"features"`
		Conv      [][]json.RawMessage `json:"conv"`
		ConvSem   map[string][]any    `json:"convSem"`
		Tied      map[string][]int    `json:"tied"`
		Aliases   [][]json.RawMessage `json:"mnemonicAliases"`
		Tables    [][][]int           `json:"tables"`
	}
	regs struct {
		Regs    [][]json.RawMessage `json:"regs"`
		Classes map[string]struct {
			Size int      `json:"size"`
			M    []string `json:"m"`
		} `json:"classes"`
		Names map[string]map[string]string `json:"names"`
	}
	aliases struct {
		Inst []instAlias `json:"instAliases"`
	}
	enc struct {
		Forms map[string]map[string]any `json:"forms"`
	}
}

type opClass struct {
	K     string   `json:"k"`
	RC    string   `json:"rc"`
	Sub   []string `json:"sub"`
	Size  int      `json:"size"`
	T     string   `json:"t"`
	M     string   `json:"m"`
	Print string   `json:"print"`
}

type form struct {
	N   string   `json:"n"`
	Op  int      `json:"op"`
	Asm string   `json:"asm"`
	Alt string   `json:"alt"`
	O   []string `json:"o"`
	I   []string `json:"i"`
	MC  []int    `json:"mc"`
	Tie [][]int  `json:"tie"`
	Mem *int     `json:"mem"`
	U   []string `json:"u"`
	D   []string `json:"d"`
	F   uint32   `json:"f"`
	SC  uint16   `json:"sc"`
	Sz  uint8    `json:"sz"`
	P   []string `json:"p"`
	Enc string   `json:"enc"`
	XP  string   `json:"xp"`
}

type instAlias struct {
	Asm string   `json:"asm"`
	Alt string   `json:"alt"`
	Res string   `json:"res"`
	Pri int      `json:"pri"`
	P   []string `json:"p"`
}
