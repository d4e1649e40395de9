/** A fenced block of a Markdown document. */
export interface Block {
  /** The word after the fence, such as `console` or `ts`. */
  readonly language: string;
  /** The name of the file that the block is, where it says one: ```` ```yaml [policy.yaml] ````. */
  readonly file?: string;
  /** The lines between the fences, each with its line break. */
  readonly text: string;
  /** The line of the opening fence, from 1. */
  readonly line: number;
}

const FENCE = /^```(\w*)(?: \[([^\]]+)\])?$/;

/** The fenced blocks of a document, in order. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = [];
  let open: (Omit<Block, 'text'> & { readonly lines: string[] }) | undefined;
  for (const [index, text] of markdown.split('\n').entries()) {
    const fence = FENCE.exec(text);
    if (open === undefined) {
      if (fence === null) continue;
      const [, language = '', file] = fence;
      open = { language, line: index + 1, lines: [], ...(file === undefined ? {} : { file }) };
    } else if (fence === null) {
      open.lines.push(`${text}\n`);
    } else {
      const { lines, ...head } = open;
      blocks.push({ ...head, text: lines.join('') });
      open = undefined;
    }
  }
  return blocks;
}

/** A command of a `console` block and its documented output. */
export interface ShownCommand {
  readonly command: string;
  /** Standard output and standard error together, as a terminal shows them. */
  readonly output: string;
}

/** The commands of a `console` block: lines that begin with `$ `, each followed by its output. */
export function commandsOf(block: Block): ShownCommand[] {
  const [before, ...shown] = `\n${block.text}`.split('\n$ ');
  if (before !== '') throw new Error(`line ${block.line}: a console block begins with a command`);
  return shown.map((text) => {
    const [command = '', ...output] = text.split('\n');
    return { command, output: output.join('\n').trimEnd() };
  });
}
