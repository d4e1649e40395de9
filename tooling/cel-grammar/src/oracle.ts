import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { SyntaxIssue } from '@kubeadmit/cel/syntax-errors';

/** What the oracle says of an expression. */
export interface Answer {
  readonly issues: readonly SyntaxIssue[];
  /** Set where cel-go itself failed. */
  readonly failure?: string;
}

/** Asks the oracle about many expressions at once. */
export async function askOracle(
  program: string,
  expressions: readonly string[],
): Promise<readonly Answer[]> {
  const oracle = spawn(program, ['eval'], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = expressions.map((expression, id) => JSON.stringify({ id: `${id}`, expression }));
  oracle.stdin.end(`${lines.join('\n')}\n`);
  const answers: Answer[] = [];
  for await (const line of createInterface({ input: oracle.stdout })) {
    const { issues = [], failure }: Partial<Answer> = JSON.parse(line);
    answers.push(failure === undefined ? { issues } : { issues, failure });
  }
  if (answers.length !== expressions.length) {
    throw new Error(`${answers.length} answers to ${expressions.length} expressions`);
  }
  return answers;
}
