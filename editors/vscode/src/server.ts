/** What is served, and by which command. Nothing here needs an editor, so that tests can ask it. */

export interface Command {
  command: string;
  args: string[];
}

export const DEFAULT_COMMAND: readonly string[] = ["verify", "lsp"];

/** The texts in which claims stand: files, texts without a file, and the cells of notebooks. */
export const LANGUAGES: readonly string[] = ["yaml", "latex", "markdown", "quarto"];

export const SELECTOR = [
  ...LANGUAGES.map((language) => ({ scheme: "file", language })),
  ...LANGUAGES.map((language) => ({ scheme: "untitled", language })),
  { notebook: "jupyter-notebook" },
];

/** A setting as a command; whatever is no list of words is answered with the usual one. */
export function commandOf(setting: unknown): Command {
  const usable =
    Array.isArray(setting) &&
    setting.length > 0 &&
    setting.every((word) => typeof word === "string" && word.length > 0);
  const words: readonly string[] = usable ? (setting as string[]) : DEFAULT_COMMAND;
  return { command: words[0] as string, args: words.slice(1) };
}

/** What to tell a person when the server does not start. */
export function troubleWith(command: Command, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  const said = [command.command, ...command.args].join(" ");
  return `verify: \`${said}\` did not start (${reason}). Install it with: pip install 'verify-claims[editor]', or set verify.command.`;
}
