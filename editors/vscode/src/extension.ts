/** The extension: it starts the language server, and tells why where it cannot. */

import * as vscode from "vscode";
import { LanguageClient, TransportKind } from "vscode-languageclient/node";
import type { LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { SELECTOR, commandOf, troubleWith } from "./server";

let client: LanguageClient | undefined;

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("verify.restart", restart),
    vscode.workspace.onDidChangeConfiguration(async (change) => {
      if (change.affectsConfiguration("verify.command")) {
        await restart();
      }
    }),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  const old = client;
  client = undefined;
  await old?.stop();
}

async function restart(): Promise<void> {
  await deactivate();
  await start();
}

async function start(): Promise<void> {
  const command = commandOf(vscode.workspace.getConfiguration("verify").get("command"));
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  // The server reads nothing outside of the folder it is started in, but what is opened here.
  const server: ServerOptions = { ...command, transport: TransportKind.stdio, options: { cwd: folder } };
  const options: LanguageClientOptions = { documentSelector: SELECTOR };
  const made = new LanguageClient("verify", "verify", server, options);
  client = made;
  try {
    await made.start();
  } catch (error) {
    void vscode.window.showErrorMessage(troubleWith(command, error));
  }
}
