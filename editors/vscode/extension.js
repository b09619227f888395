// The client of 'incore lsp' for Visual Studio Code.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

const languages = ['asm', 'asm-intel-x86-generic', 'arm', 'riscv', 'nasm', 'gas', 'c', 'cpp', 'rust', 'fortran', 'FortranFreeForm'];
let client;

exports.activate = () => {
  const command = workspace.getConfiguration('incore').get('path') || 'incore';
  client = new LanguageClient('incore', 'incore', { command, args: ['lsp'] }, {
    documentSelector: languages.map((language) => ({ scheme: 'file', language })),
    synchronize: { configurationSection: 'incore' },
  });
  return client.start();
};

exports.deactivate = () => client && client.stop();
