/** One command of a list. */
export interface Invocation {
  /** The line as written in the list. */
  readonly line: string;
  /** `kubectl`, or the shell for lines that begin with `$`. */
  readonly program: 'kubectl' | 'shell';
  readonly command: string;
  /** Standard input. */
  readonly input: string;
}

/** Parses a list: a command per line, `#` for comments, indented lines for the standard input of the command above. */
export function readInvocations(text: string): readonly Invocation[] {
  const invocations: Invocation[] = [];
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    if (line.startsWith('  ')) {
      const last = invocations.pop();
      if (!last) throw new Error(`nothing takes the input ${line}`);
      invocations.push({ ...last, input: `${last.input}${line.slice(2)}\n` });
    } else if (line.startsWith('$ ')) {
      invocations.push({ line, program: 'shell', command: line.slice(2), input: '' });
    } else {
      invocations.push({ line, program: 'kubectl', command: line, input: '' });
    }
  }
  return invocations;
}
