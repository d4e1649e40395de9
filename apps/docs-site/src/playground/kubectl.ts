/**
 * A script that does with kubectl what the playground does: the policies and what they need are applied, and the
 * other objects sent as a dry run, so that nothing else is kept.
 *
 * @param tried the files with objects that are tried and not kept
 */
export function kubectlScript(
  files: Readonly<Record<string, string>>,
  tried: ReadonlySet<string>,
): string {
  const entries = Object.entries(files).filter(([, text]) => text.trim() !== '');
  const held = entries.filter(([name]) => !tried.has(name));
  const parts = [
    ...held.map(([name, text]) => heredoc(name, text, 'kubectl apply -f -')),
    ...entries
      .filter(([name]) => tried.has(name))
      .map(([name, text]) => heredoc(name, text, 'kubectl create --dry-run=server -f -')),
  ];
  return parts.join('\n');
}

function heredoc(name: string, text: string, command: string): string {
  let end = 'EOF';
  while (text.split('\n').includes(end)) end += '_';
  return `# ${name}\n${command} <<'${end}'\n${text.trimEnd()}\n${end}\n`;
}
