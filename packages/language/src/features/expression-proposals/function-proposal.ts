import type { Type } from '@kubeadmit/cel';
import type { Dialect } from '../../cel/dialect.ts';
import { type FunctionInfo, takesForm, wordsOfFunction } from '../../cel/function-list.ts';
import type { Proposal } from '../../service/proposal.ts';
import { completionKinds } from '../../workspace/protocol.ts';

interface FunctionOptions {
  readonly isMember: boolean;
  readonly rank: number;
  /** The receiver type of the function. */
  readonly receiver?: Type;
}

/** A call of a function, with its description. */
export function functionProposal(
  dialect: Dialect,
  info: FunctionInfo,
  { isMember, rank, receiver }: FunctionOptions,
): Proposal {
  const all = info.forms.filter((form) => form.isMember === isMember);
  const fitting = receiver === undefined ? all : all.filter((form) => takesForm(form, receiver));
  const forms = fitting.length > 0 ? fitting : all;
  const [first] = forms;
  const hasArguments = forms.some(({ parameters }) => parameters.length > 0);
  const signatures = forms.map(({ label }) => label).join('\n');
  const insert = insertOf(info, first?.parameters.length ?? 0);
  return {
    label: info.name,
    kind: isMember ? completionKinds.method : completionKinds.function,
    ...(first === undefined ? {} : { detail: first.label }),
    words: `\`\`\`cel\n${signatures}\n\`\`\`\n\n${wordsOfFunction(dialect, info, first)}`,
    insert: hasArguments ? insert : `${info.name}()`,
    isSnippet: hasArguments,
    rank,
  };
}

function insertOf({ name, isMacro }: FunctionInfo, count: number): string {
  if (isMacro && name !== 'has' && count >= 2) {
    const rest = Array.from({ length: count - 1 }, (_, i) => `\${${i + 2}}`).join(', ');
    return `${name}(\${1:e}, ${rest})`;
  }
  return `${name}($1)`;
}
