import { isDeepStrictEqual } from 'node:util';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import type { Verdict } from './verdict.ts';

/** Counts equal and different verdicts, and prints the first differences. */
export class Tally {
  readonly #counts = { equal: 0, different: 0, skipped: 0, denied: 0, warnings: 0, audits: 0 };
  readonly #limit: number;

  /** @param limit how many differences are printed */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Counts a request that kube-apiserver rejected before any policy. */
  skip(): void {
    this.#counts.skipped++;
  }

  /** Compares the verdicts about one request. */
  add(operation: string, object: KubernetesObject, server: Verdict, own: Verdict): void {
    if (server.denial !== '') this.#counts.denied++;
    this.#counts.warnings += server.warnings.length;
    this.#counts.audits += server.audits.length;
    this.#count(isDeepStrictEqual(server, own), () => {
      console.log(`\n${operation} ${String(object['kind'])} ${JSON.stringify(object['metadata'])}`);
      for (const part of ['denial', 'warnings', 'audits', 'changedBy'] as const) {
        showDifference(part, lines(server[part]), lines(own[part]));
      }
    });
  }

  /** Compares texts about several requests. */
  addTexts(title: string, server: readonly string[], own: readonly string[]): void {
    const [theirs, ours] = [[...new Set(server)].sort(), [...new Set(own)].sort()];
    this.#count(isDeepStrictEqual(theirs, ours), () => showDifference(`\n${title}`, theirs, ours));
  }

  /** Prints the counts and returns the number of differences. */
  report(): number {
    console.log(`\n${JSON.stringify(this.#counts)}`);
    return this.#counts.different;
  }

  #count(isEqual: boolean, tell: () => void): void {
    if (isEqual) this.#counts.equal++;
    else if (++this.#counts.different <= this.#limit) tell();
  }
}

function lines(part: string | readonly string[] | undefined): readonly string[] {
  return typeof part === 'string' ? [part] : (part ?? ['(rejected)']);
}

function showDifference(title: string, server: readonly string[], own: readonly string[]): void {
  if (isDeepStrictEqual(server, own)) return;
  console.log(title);
  for (const text of server.filter((text) => !own.includes(text))) console.log(`  server: ${text}`);
  for (const text of own.filter((text) => !server.includes(text))) console.log(`  own:    ${text}`);
}
