import {
  type InputProblem,
  type Manifest,
  type Source,
  Source as TextSource,
} from '@kubeadmit/manifest';
import { readSuites, type Suite, type SuiteDocument, suiteText } from '@kubeadmit/testing';
import { readKaptest, withoutConstraints } from '@kubeadmit/testing/other-tools';

/** A suite that was made of the tests of another tool. */
export interface ForeignSuite {
  readonly format: 'kaptest' | 'kat';
  readonly suite: Suite;
  /** Adapts policies to the behavior of the other tool. */
  readonly substitute?: (manifest: Manifest) => Manifest;
}

/** The converted tests, and the problems. */
export interface ReadForeign {
  readonly suites: readonly ForeignSuite[];
  readonly problems: readonly InputProblem[];
}

/** Returns the suites of a kaptest file, whose policies are evaluated for every object. */
export function kaptestSuites(source: Source): ReadForeign {
  const { documents, problems } = readKaptest(source);
  const made = documents.map((document) => suitesOf(document, source.name));
  return {
    suites: made
      .flatMap((read) => read.suites)
      .map((suite) => ({ format: 'kaptest', suite, substitute: withoutConstraints })),
    problems: [...problems, ...made.flatMap((read) => read.problems)],
  };
}

/** The suite of a folder of kat. */
export function katSuites(document: SuiteDocument, name: string): ReadForeign {
  const { suites, problems } = suitesOf(document, name);
  return { suites: suites.map((suite) => ({ format: 'kat', suite })), problems };
}

function suitesOf(document: SuiteDocument, name: string): ReturnType<typeof readSuites> {
  return readSuites(new TextSource(name, suiteText(document, name)));
}
