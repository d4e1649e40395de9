import { findingsIn, type ItemFormat, type ReportItem } from '../report.ts';
import { Fingerprints, path } from './fingerprint.ts';
import { JsonElements } from './json-elements.ts';

const severities = { error: 'major', warning: 'minor', note: 'info', none: 'info' } as const;

/** A report of GitLab's code quality (a list of Code Climate's issues). */
export class GitlabFormat implements ItemFormat {
  readonly #prints = new Fingerprints();
  readonly #elements = new JsonElements('[', 0);

  add(items: readonly ReportItem[]): readonly string[] {
    return [this.#elements.add(findingsIn(items).map((item) => this.#issue(item)))];
  }

  end(): readonly string[] {
    return [this.#elements.end(']\n')];
  }

  #issue(item: ReportItem) {
    const { rule, name, message, level, file, line } = item;
    return {
      description: name === '' ? message : `${name}: ${message}`,
      check_name: rule || 'kubeadmit',
      fingerprint: this.#prints.next(item),
      severity: severities[level],
      location: { path: path(file), lines: { begin: line ?? 1 } },
    };
  }
}
