import { listOf } from '@kubeadmit/apimachinery';
import { jsonOf } from '@kubeadmit/chain/kyverno';
import type { GivenUser } from '@kubeadmit/kyverno';
import { formatPlace, isRecord, type ReadDocument } from '@kubeadmit/manifest';
import { fieldsOf, mistakeIn, readFields, requireKind, ShapeProblem } from './fields.ts';
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
  return readShape(test.variables, document, () => readValues(document?.value ?? {}));
}

/** Reads the file with the user of a test. */
export async function readUserInfo(
  test: Pick<TestFile, 'userInfo'>,
  reader: TestReader,
): Promise<GivenUser> {
  if (test.userInfo === '') return {};
  const [document] = await reader.documents([test.userInfo]);
  return readShape(test.userInfo, document, () => {
    const fields = readFields(document?.value ?? {}, '', 'tests.UserInfo');
    requireKind(fields, 'this user has', 'UserInfo');
    fieldsOf(fields, 'metadata', 'meta.v1.ObjectMeta');
    fieldsOf(fields, 'userInfo', 'tests.User');
    const info = fields.get('userInfo');
    return {
      roles: textsOf(fields.get('roles')),
      clusterRoles: textsOf(fields.get('clusterRoles')),
      userInfo: isRecord(info) ? jsonOf(info) : {},
    };
  });
}

function readShape<T>(path: string, document: ReadDocument | undefined, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof ShapeProblem)) throw error;
    const isPlaced = document !== undefined && error.path.length > 0;
    const { source } = document?.origin ?? {};
    const place = isPlaced ? source?.placeAt(mistakeIn(document, error.path).start) : undefined;
    throw new TestProblem(`${formatPlace(path, place)}: ${error.message}`);
  }
}

function textsOf(value: unknown): readonly string[] {
  return listOf(value).map(String);
}
