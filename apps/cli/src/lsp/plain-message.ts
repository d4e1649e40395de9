/**
 * A message without links. VS Code turns `[text](command:…)` in notifications into a link that runs a command, and
 * messages quote file names and settings of the workspace.
 */
export function plainMessage(text: string): string {
  return text.replaceAll('](', '] (');
}
