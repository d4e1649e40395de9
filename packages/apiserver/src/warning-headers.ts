import { quote } from '@kubeadmit/go/internal';

const mostCharacters = 4096;
const cutCharacters = 256;

/** The values of `Warning` headers: each text once, long ones cut where all are too long together (apiserver filters.WithWarningRecorder). */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const total = distinct.reduce((sum, text) => sum + [...text].length, 0);
  const isLong = total > mostCharacters;
  return distinct.map((text) => {
    const own = isLong ? [...text].slice(0, cutCharacters).join('') : text;
    return `299 - ${quote(own)}`;
  });
}
