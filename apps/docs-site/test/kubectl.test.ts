import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { kubectlScript, withInput } from '../src/playground/kubectl.ts';

test('applies the policies first, and tries the other objects', () => {
  const files = { 'web.yaml': 'kind: Pod\n', 'policy.yaml': 'EOF\n', empty: ' \n' };
  expect(kubectlScript(files, new Set(['web.yaml']))).toBe(`# policy.yaml
kubectl apply -f - <<'EOF_'
EOF
EOF_

# web.yaml
kubectl create --dry-run=server -f - <<'EOF'
kind: Pod
EOF
`);
});

/** Returns the output of a shell that runs the script with a `kubectl` that prints its input. */
function output(script: string): string {
  const { stdout, status } = spawnSync('sh', ['-c', `kubectl() { cat; }\n${script}`], {
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  return stdout;
}

const hostile = '$(echo RAN) `echo RAN` "; echo RAN; \' echo RAN';

test.each([
  ['a line break', 'a\necho RAN\n'],
  ['a carriage return', 'a\recho RAN\r'],
  ['other line separators', 'a\u2028echo RAN\u0085echo RAN'],
  ['escape characters', '\x1b[201~\necho RAN'],
  ['quotes and substitutions', hostile],
])('runs nothing of a file name with %s', (_name, name) => {
  const script = kubectlScript({ [name]: 'kind: Pod' }, new Set());
  expect(script.split(/[\n\r]/)).toHaveLength(5);
  // An interactive zsh takes the number sign as a command and runs the text after a semicolon.
  expect(script).toMatch(/^# [\w./-]*$/m);
  expect(output(script.replace(/^#/, 'true'))).toBe('kind: Pod\n');
  expect(output(script)).toBe('kind: Pod\n');
});

test.each([
  ['the end word', 'EOF\necho RAN\nEOF_\necho RAN'],
  ['substitutions', hostile],
  ['the end word before a carriage return', 'EOF\r\necho RAN\rEOF\recho RAN'],
])('passes a text with %s to the command as it is', (_name, text) => {
  const script = withInput('kubectl apply -f -', text);
  expect(output(script)).toBe(`${text.replace(/\r\n?/g, '\n')}\n`);
  // Pasted into a terminal, a carriage return enters a line.
  expect(script).not.toMatch(/\r/);
});

test.each([
  ['the interrupt key', 'a: 1\x03\nb: 2'],
  ['the end-of-input key', 'a: 1\n\x04\nb: 2'],
  ['the end of a bracketed paste', 'a: 1\x1b[201~\nb: 2'],
  ['tabs', 'a:\t1\t# complete'],
  ['a control character of eight bits', 'a: 1\u009b201~'],
])('encodes a text with %s, so that it can be pasted', (_name, text) => {
  const script = withInput('kubectl apply -f -', text);
  expect(script).toMatch(/^[\n -~]*$/);
  expect(output(script)).toBe(text);
});
