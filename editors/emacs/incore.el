;; incore in Emacs by Eglot, which is part of Emacs from 29 on: M-x eglot in a buffer of assembly.
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs '(asm-mode . ("incore" "lsp"))))
;; Settings, of a project in its .dir-locals.el:
;;   ((asm-mode . ((eglot-workspace-configuration . (:incore (:arch "zen4"))))))
(setq-default eglot-workspace-configuration '(:incore (:arch "zen4")))
