import type { LintIssue, Severity } from './issue/issue.ts';
import { findRule, noRuleText } from './issue/rules.ts';

/** The setting of a rule: off, or a severity. */
export type RuleSetting = 'off' | Severity;

/** Settings by rule code. */
export type RuleSettings = ReadonlyMap<string, RuleSetting>;

const words: ReadonlyMap<unknown, RuleSetting> = new Map<unknown, RuleSetting>([
  ['off', 'off'],
  // YAML 1.1 reads off as false.
  [false, 'off'],
  ['info', 'info'],
  ['hint', 'info'],
  ['warn', 'warning'],
  ['warning', 'warning'],
  ['error', 'error'],
]);

/** A setting, or the problem with it. */
export type ReadSetting = { readonly problem: string } | { readonly setting: RuleSetting };

/** Parses the setting of a rule: `off`, `info`, `warn` (or `warning`) or `error`. */
export function readSetting(code: string, value: unknown): ReadSetting {
  const rule = findRule(code);
  if (rule === undefined) return { problem: noRuleText(code) };
  const setting = words.get(value);
  if (setting === undefined) {
    return { problem: `\`${code}\` can be off, info, warn or error, not ${JSON.stringify(value)}` };
  }
  if (rule.isRefusal && setting !== 'error') {
    return {
      problem: `\`${code}\` stays an error: it reports rejections by a server or unreadable inputs`,
    };
  }
  return { setting };
}

/** Issues as settings want them. */
export function withSettings(
  issues: readonly LintIssue[],
  settings: RuleSettings,
): readonly LintIssue[] {
  if (settings.size === 0) return issues;
  return issues.flatMap((issue) => {
    const setting = issue.refused ? undefined : settings.get(issue.code);
    if (setting === undefined) return [issue];
    return setting === 'off' ? [] : [{ ...issue, severity: setting }];
  });
}
