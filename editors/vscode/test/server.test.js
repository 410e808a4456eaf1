// The extension's own tests: its manifest, its settings, and the server that it starts, spoken to by the same
// library that speaks inside the editor. `verify lsp` must be on the path, or VERIFY_COMMAND say where it is.

const assert = require("node:assert/strict");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const test = require("node:test");
const { pathToFileURL } = require("node:url");
const protocol = require("vscode-languageserver-protocol/node");

const { DEFAULT_COMMAND, LANGUAGES, SELECTOR, commandOf, troubleWith } = require("../dist/server.js");
const manifest = require("../package.json");

const COMMAND = process.env.VERIFY_COMMAND ? process.env.VERIFY_COMMAND.split(" ") : undefined;
const CLAIMS = `theorem: toy/all
symbols: {x: real, y: real}
claims:
  square:
    says: (x + y)**2 == x**2 + y**2
  unread:
    says: x + q == 0
`;

test("a setting is a command, and nonsense is the usual one", () => {
  assert.deepEqual(commandOf(["python", "-m", "verifier", "lsp"]), {
    command: "python",
    args: ["-m", "verifier", "lsp"],
  });
  for (const nonsense of [undefined, null, "verify lsp", [], [1], ["", "lsp"], {}]) {
    assert.deepEqual(commandOf(nonsense), { command: "verify", args: ["lsp"] });
  }
});

test("the manifest says what the code does", () => {
  const source = fs.readFileSync(path.join(__dirname, "../src/extension.ts"), "utf-8");
  for (const { command } of manifest.contributes.commands) {
    assert.ok(source.includes(`"${command}"`), command);
  }
  assert.deepEqual(manifest.contributes.configuration.properties["verify.command"].default, DEFAULT_COMMAND);
  for (const language of LANGUAGES) {
    assert.ok(manifest.activationEvents.includes(`onLanguage:${language}`), language);
  }
  assert.ok(SELECTOR.some((item) => item.notebook === "jupyter-notebook"));
  // A stranger's workspace may not choose what is run.
  const { restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
  assert.deepEqual(restrictedConfigurations, ["verify.command"]);
});

test("the bundle holds the client and asks for nothing but the editor", () => {
  const bundle = fs.readFileSync(path.join(__dirname, "../dist/extension.js"), "utf-8");
  const asked = new Set([...bundle.matchAll(/require\("([^"]+)"\)/g)].map((match) => match[1]));
  const known = new Set([...require("node:module").builtinModules, "vscode"]);
  for (const name of asked) {
    assert.ok(known.has(name.replace(/^node:/, "")), name);
  }
});

test("who has no server is told what to install", () => {
  const words = troubleWith(commandOf(undefined), new Error("ENOENT"));
  assert.match(words, /verify lsp/);
  assert.match(words, /verify-claims\[editor\]/);
  assert.match(words, /ENOENT/);
});

/** A session with the server, as the client of the editor has it. */
async function session(talk) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "verify-"));
  const { command, args } = commandOf(COMMAND);
  const child = spawn(command, [...args, "--stdio"], { cwd: folder });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const connection = protocol.createProtocolConnection(
    new protocol.StreamMessageReader(child.stdout),
    new protocol.StreamMessageWriter(child.stdin),
  );
  const said = new Map();
  let wake = () => {};
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (params) => {
    said.set(params.uri, params.diagnostics);
    wake();
  });
  const until = async (uri, wanted) => {
    while (!said.has(uri) || !wanted(said.get(uri))) {
      await new Promise((resolve) => (wake = resolve));
    }
    return said.get(uri);
  };
  connection.listen();
  try {
    const hello = await connection.sendRequest(protocol.InitializeRequest.type, {
      processId: process.pid,
      rootUri: pathToFileURL(folder).href,
      capabilities: { notebookDocument: { synchronization: {} } },
    });
    await connection.sendNotification(protocol.InitializedNotification.type, {});
    await talk(connection, until, hello, folder);
    await connection.sendRequest(protocol.ShutdownRequest.type);
    await connection.sendNotification(protocol.ExitNotification.type);
    await ended;
  } finally {
    child.kill();
    connection.dispose();
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

function opened(uri, text) {
  return { textDocument: { uri, languageId: "yaml", version: 1, text } };
}

test("verdicts, hover and the correction over the wire", { timeout: 90_000 }, async () => {
  await session(async (connection, until, hello, folder) => {
    assert.ok(hello.capabilities.hoverProvider);
    assert.ok(hello.capabilities.notebookDocumentSync);
    const uri = pathToFileURL(path.join(folder, "toy.yaml")).href;
    await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, opened(uri, CLAIMS));
    const found = await until(uri, (items) => items.some((item) => item.code === "fails"));
    assert.deepEqual(found.map((item) => item.code).sort(), ["fails", "unknown-name"]);
    const { range } = found.find((item) => item.code === "fails");
    assert.deepEqual([range.start.line, range.start.character, range.end.character], [4, 10, 35]);
    const at = { textDocument: { uri }, position: range.start };
    const hover = await connection.sendRequest(protocol.HoverRequest.type, at);
    assert.match(hover.contents.value, /We read this as/);
    const offers = await connection.sendRequest(protocol.CodeActionRequest.type, {
      textDocument: { uri },
      range,
      context: { diagnostics: found },
    });
    const [fix] = offers.filter((offer) => offer.isPreferred);
    assert.equal(fix.edit.changes[uri][0].newText, "(x + y)**2");
    const items = await connection.sendRequest(protocol.InlayHintRequest.type, { textDocument: { uri }, range });
    assert.equal(items[0].label, "✗ fails, proved");
  });
});

test("broken texts and unknown requests leave the server alive", { timeout: 90_000 }, async () => {
  await session(async (connection, until, hello, folder) => {
    const bad = pathToFileURL(path.join(folder, "bad.yaml")).href;
    await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, opened(bad, "theorem: [ \u202e"));
    assert.ok((await until(bad, (items) => items.length > 0)).every((item) => item.severity === 1));
    await assert.rejects(connection.sendRequest("no/such/method", {}));
    const uri = pathToFileURL(path.join(folder, "fine.yaml")).href;
    const text = "theorem: a/b\nclaims: {c: {says: 1 == 2}}\n";
    await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, opened(uri, text));
    await until(uri, (items) => items.some((item) => item.code === "fails"));
  });
});
