import { listOf } from '@kubeadmit/apimachinery';
import type { Value } from '@kubeadmit/cel';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import type { GivenUser } from '@kubeadmit/kyverno';
import type { TestType } from '@kubeadmit/kyverno/validation';
import { formatPlace, isRecord, type ReadDocument } from '@kubeadmit/manifest';
import {
  fieldsOf,
  placesIn,
  readFields,
  requireKind,
  requireStruct,
  ShapeProblem,
} from './fields.ts';
import type { TestFile } from './test-file.ts';
import { TestProblem, type TestReader } from './test-reader.ts';
import { noValues, readValues, type Values } from './values.ts';

/** Reads the values of a test, or the file that it names. */
export async function readTestValues(
  test: Pick<TestFile, 'values' | 'variables'>,
  reader: TestReader,
): Promise<Values> {
  if (test.values !== undefined) return test.values;
  if (test.variables === '') return noValues;
  const [document] = await reader.documents([test.variables]);
  return readShape({ path: test.variables, document, type: 'tests.Values' }, (value) =>
    readValues(value, placesIn(document, test.variables)),
  );
}

/** Reads the file with the user of a test. */
export async function readUserInfo(
  test: Pick<TestFile, 'userInfo'>,
  reader: TestReader,
): Promise<GivenUser> {
  if (test.userInfo === '') return {};
  const [document] = await reader.documents([test.userInfo]);
  return readShape({ path: test.userInfo, document, type: 'tests.UserInfo' }, (value) => {
    const fields = readFields(value, '', 'tests.UserInfo');
    requireKind(fields, 'this user has', 'UserInfo');
    fieldsOf(fields, 'metadata', 'meta.v1.ObjectMeta');
    fieldsOf(fields, 'userInfo', 'auth.v1.UserInfo');
    const info = fields.get('userInfo');
    return {
      roles: textsOf(fields.get('roles')),
      clusterRoles: textsOf(fields.get('clusterRoles')),
      userInfo: isRecord(info) ? jsonOf(info) : {},
    };
  });
}

/** A file of the Kyverno CLI, and the type of its document. */
interface TypedFile {
  readonly path: string;
  /** Undefined if the file is empty. */
  readonly document: ReadDocument | undefined;
  readonly type: TestType;
}

/** Reads the document of a file, which has to fit its type completely. */
export function readShape<T>({ path, document, type }: TypedFile, read: (value: Value) => T): T {
  const value = document?.value ?? {};
  try {
    const result = read(value);
    requireStruct(value, type);
    return result;
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error;
    const { place } = placesIn(document, path)(error.path);
    throw new TestProblem(`${formatPlace(path, place)}: ${error.message}`);
  }
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}
