import { findingsIn, type ItemFormat, type ReportItem } from '../report.ts';
import { printable } from '../style.ts';
import { path } from './fingerprint.ts';

const commands = { error: 'error', warning: 'warning', note: 'notice', none: 'notice' } as const;

/** Annotations of GitHub Actions (workflow commands), one for each finding. */
export class GithubFormat implements ItemFormat {
  add(items: readonly ReportItem[]): readonly string[] {
    return [findingsIn(items).map(annotation).join('')];
  }

  end(): readonly string[] {
    return [];
  }
}

function annotation({ level, file, line, column, rule, name, message }: ReportItem): string {
  const properties = [
    `file=${escapeProperty(path(file))}`,
    ...(line === undefined ? [] : [`line=${line}`]),
    ...(column === undefined ? [] : [`col=${column}`]),
    `title=${escapeProperty([rule, name].filter((part) => part !== '').join(': '))}`,
  ];
  return `::${commands[level]} ${properties.join(',')}::${escapeData(message === '' ? commands[level] : message)}\n`;
}

// Their log is shown on terminals too.
function escapeData(text: string): string {
  return printable(text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A'));
}

function escapeProperty(text: string): string {
  return escapeData(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
