import { textOf } from '@kubeadmit/apimachinery';
import { defined } from '@kubeadmit/base';
import { isRecord, type Path, type Place } from '@kubeadmit/manifest';
import type { ShapeProblem } from './check-shape.ts';
import { readChanges } from './read-changes.ts';
import { readCluster } from './read-cluster.ts';
import { readExpectation } from './read-expectation.ts';
import { referenceOf } from './source-reference.ts';
import type { ClusterFields, ObjectChange, RequestFields, Subject, SuiteCase } from './suite.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The fields of a group that apply to all its cases. */
interface Surroundings {
  readonly names: readonly string[];
  readonly clusters: readonly ClusterFields[];
  readonly request: RequestFields;
  readonly subject: Subject | undefined;
  readonly changes: readonly ObjectChange[];
  readonly kubernetesVersions: readonly string[];
  readonly skip: string | undefined;
  readonly expectation: { readonly value: unknown; readonly path: Path } | undefined;
}

const nothing: Surroundings = {
  names: [],
  clusters: [],
  request: {},
  subject: undefined,
  changes: [],
  kubernetesVersions: [],
  skip: undefined,
  expectation: undefined,
};

const subjectNames = ['object', 'objects', 'request', 'requests'] as const;

/** Reads the cases of a suite, each with the inherited fields. */
export class CaseReader {
  readonly #placeOf: (path: Path) => Place;
  readonly #complain: (problem: ShapeProblem) => void;
  readonly #cases: SuiteCase[] = [];
  #isBroken: (path: Path) => boolean = () => false;

  constructor(placeOf: (path: Path) => Place, complain: (problem: ShapeProblem) => void) {
    this.#placeOf = placeOf;
    this.#complain = complain;
  }

  /** The cases of a suite in their order, without those in parts that are known to be broken. */
  read(suite: Fields, isBroken: (path: Path) => boolean): readonly SuiteCase[] {
    this.#isBroken = isBroken;
    this.#visit({ ...suite, name: undefined }, [], nothing);
    return this.#cases;
  }

  #visit(fields: Fields, path: Path, around: Surroundings): void {
    const own = readChanges(fields, path);
    const here = this.#surroundings(fields, path, around, own);
    const { cases } = fields;
    if (Array.isArray(cases)) {
      this.#requireNames(cases, [...path, 'cases']);
      for (const [index, each] of cases.entries()) {
        const inner = [...path, 'cases', index];
        if (!this.#isBroken(inner)) this.#visit(isRecord(each) ? each : {}, inner, here);
      }
      return;
    }
    const { subject, expectation, skip, ...rest } = here;
    if (subject === undefined) {
      this.#say(path, 'a case needs an `object`, `objects`, a `request` or `requests`');
    } else if (expectation === undefined) {
      this.#say(path, 'the case has no `expect`, so it tests nothing');
    } else {
      if (subject.kind === 'request' || subject.kind === 'requests') {
        this.#refuseRequestFields(here, path);
      }
      const { value, path: at } = expectation;
      this.#cases.push({
        ...rest,
        path,
        place: this.#placeOf(path),
        ...(skip === undefined ? {} : { skip }),
        subject,
        ownChanges: own,
        expectation: readExpectation(value, at, this.#complain),
      });
    }
  }

  #surroundings(
    fields: Fields,
    path: Path,
    around: Surroundings,
    own: readonly ObjectChange[],
  ): Surroundings {
    const subject = this.#subjectOf(fields, path);
    const cluster = readCluster(fields, path);
    const { name, expect, skip, kubernetesVersions } = fields;
    const isRoot = path.length === 0;
    return {
      names: isRoot ? [] : [...around.names, textOf(name)],
      clusters: cluster === undefined ? around.clusters : [...around.clusters, cluster],
      request: { ...around.request, ...readRequestFields(fields, path) },
      subject: subject ?? around.subject,
      // Changes are of the object that they stand with.
      changes: subject === undefined ? [...around.changes, ...own] : own,
      kubernetesVersions: Array.isArray(kubernetesVersions)
        ? (kubernetesVersions as string[])
        : around.kubernetesVersions,
      skip: around.skip ?? (typeof skip === 'string' ? skip : undefined),
      expectation:
        expect === undefined ? around.expectation : { value: expect, path: [...path, 'expect'] },
    };
  }

  #subjectOf(fields: Fields, path: Path): Subject | undefined {
    const named = subjectNames.filter((name) => fields[name] !== undefined);
    const [kind] = named;
    if (kind === undefined) return undefined;
    if (named.length > 1) {
      this.#say([...path, named[1] ?? kind], `\`${named.join('`, `')}\` cannot be combined`);
    }
    const value = fields[kind];
    if (kind === 'objects' || kind === 'requests') {
      return { kind, from: [value].flat() as string[] };
    }
    return { kind, from: referenceOf(value, [...path, kind]) };
  }

  /** Rejects fields that a request already contains. */
  #refuseRequestFields({ request, changes }: Surroundings, path: Path): void {
    for (const name of ['operation', 'subresource', 'oldObject', 'dryRun'] as const) {
      if (request[name] !== undefined) {
        this.#say(path, `\`${name}\` belongs in \`request\``);
      }
    }
    if (changes.length > 0) this.#say(path, 'changes apply to an `object`, not to a `request`');
  }

  #requireNames(cases: readonly unknown[], path: Path): void {
    const seen = new Map<string, number>();
    for (const [index, each] of cases.entries()) {
      const name = isRecord(each) ? each['name'] : undefined;
      if (typeof name !== 'string') continue;
      const before = seen.get(name);
      if (before === undefined) seen.set(name, index);
      else {
        const { line } = this.#placeOf([...path, before]);
        this.#say([...path, index, 'name'], `another case has the name \`${name}\` (line ${line})`);
      }
    }
  }

  #say(path: Path, message: string): void {
    this.#complain({ path, message });
  }
}

function readRequestFields(fields: Fields, path: Path): RequestFields {
  const { operation, subresource, namespace, user, dryRun, oldObject } = fields;
  return defined({
    operation,
    subresource,
    namespace,
    dryRun,
    user: typeof user === 'string' ? { name: user } : user,
    oldObject: oldObject && referenceOf(oldObject, [...path, 'oldObject']),
  }) as RequestFields;
}
