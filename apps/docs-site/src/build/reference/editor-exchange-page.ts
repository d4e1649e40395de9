import { block, type Page } from '../shared/page.ts';
import { readText } from '../shared/repository.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
}

interface Line {
  readonly from: 'client' | 'server';
  readonly message: Message;
}

const longest = 160;

/** Returns the page with the recorded messages between an editor and the language server, which tests replay. */
export function editorExchangePage(): Page {
  const lines = readText('apps/cli/test/lsp/neovim.ndjson')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  const asked = new Map<number | undefined, string>();
  const sections = lines.map(({ from, message }) => {
    const { id, method, params, result } = message;
    if (method !== undefined && id !== undefined) asked.set(id, method);
    const about = method === undefined ? `the answer to \`${asked.get(id)}\`` : `\`${method}\``;
    const shown = shortened(method === undefined ? result : params);
    const body = shown === undefined ? '' : block('json', JSON.stringify(shown, null, 2));
    return `## ${from === 'client' ? 'Neovim' : 'kubeadmit'}: ${about}\n\n${body}`;
  });
  const markdown = `---
outline: false
---

# An exchange with an editor

Headless Neovim opens \`examples/replica-limits/policy.yaml\`, types a mistake, receives the diagnostic, asks for completion, fixes the mistake, hovers a variable, and renames the policy in its file and in the bindings of another file. The page shows the messages on standard input and output, with long strings and lists cut. The tests of the program replay all messages and expect the same answers.

${sections.join('\n\n')}
`;
  return { path: 'reference/editor-exchange', markdown };
}

/** Returns a value with long strings cut, and long lists ended by the number of omitted items. */
function shortened(value: unknown): unknown {
  if (typeof value === 'string')
    return value.length > longest ? `${value.slice(0, longest)}…` : value;
  if (Array.isArray(value)) {
    const most = 3;
    const rest = value.length > most ? [`… ${value.length - most} more`] : [];
    return [...value.slice(0, most).map((each) => shortened(each)), ...rest];
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      // The lists of client and server capabilities would fill pages.
      key === 'capabilities' ? '…' : shortened(inner),
    ]),
  );
}
