import {
  coverageHtml,
  coverageJson,
  coverageLcov,
  coverageText,
  type PolicyCoverage,
} from '@kubeadmit/testing';
import { countPoints, percentText } from '@kubeadmit/testing/unstable-internal';
import { printable } from '../output/style.ts';
import { writeWhole } from '../output/targets.ts';
import { CommandFailure, type Terminal, write } from '../process/terminal.ts';
import type { TestOptions } from './options.ts';

const formats: Readonly<Record<string, (policies: readonly PolicyCoverage[]) => string>> = {
  text: coverageText,
  json: coverageJson,
  lcov: coverageLcov,
  html: coverageHtml,
};

/** Whether to record coverage of policies. */
export function wantsCoverage({
  coverage,
  coverageOutput,
  coverageThreshold,
}: TestOptions): boolean {
  return coverage === true || coverageOutput !== undefined || coverageThreshold !== undefined;
}

/**
 * Refuses options that would mix two documents on standard output.
 *
 * @throws CommandFailure
 */
export function checkCoverageOptions(options: TestOptions): void {
  if (!wantsCoverage(options)) return;
  const main = (options.output ?? []).find(({ file }) => file === undefined)?.format ?? 'text';
  if (printedFormat(options) !== undefined && main !== 'text') {
    throw new CommandFailure(
      `standard output already contains the results as ${main}; name a file for the coverage, for example --coverage-output lcov=lcov.info`,
    );
  }
}

/** Writes the coverage of policies. Returns false if it is below the threshold. */
export async function reportCoverage(
  policies: readonly PolicyCoverage[],
  options: TestOptions,
  terminal: Terminal,
): Promise<boolean> {
  for (const { format, file } of options.coverageOutput ?? []) {
    if (file !== undefined) writeWhole(file, formats[format]?.(policies) ?? '');
  }
  const printed = printedFormat(options);
  if (printed !== undefined && options.quiet !== true) {
    const text = formats[printed]?.(policies) ?? '';
    await write(terminal.stdout, printed === 'text' ? `\n${printable(text)}` : text);
  }
  const { coverageThreshold: threshold } = options;
  const { percent, total } = countPoints(policies);
  if (threshold === undefined || (percent >= threshold && total > 0)) return true;
  const missing =
    total === 0
      ? 'no expression of a native policy is tested'
      : `coverage is ${percentText(percent)}`;
  // Without the report, the missing coverage is still shown.
  if (total > 0 && (printed !== 'text' || options.quiet === true)) {
    terminal.stderr.write(printable(coverageText(policies)));
  }
  terminal.stderr.write(`error: ${missing}, below the threshold of ${threshold} %\n`);
  return false;
}

/** The format on standard output; none where only files are written. */
function printedFormat({ coverage, coverageOutput = [] }: TestOptions): string | undefined {
  const own = coverageOutput.find(({ file }) => file === undefined)?.format;
  return own ?? (coverage === true ? 'text' : undefined);
}
