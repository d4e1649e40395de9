/**
 * Whether the letters that are written are meant for a label: it begins with them, holds them (three at least), or
 * they are begins of its words: `imP` for `imagePullPolicy`.
 */
export function isLike(label: string, word: string): boolean {
  if (word === '') return true;
  const [whole, letters] = [label.toLowerCase(), word.toLowerCase()];
  if (whole.startsWith(letters) || (letters.length >= 3 && whole.includes(letters))) return true;
  return fits(label, 0, letters, 0, true);
}

function fits(label: string, at: number, letters: string, done: number, isStart: boolean): boolean {
  if (done === letters.length) return true;
  for (let next = at; next < label.length; next++) {
    const isNext = next === at && !isStart;
    if (!isNext && !beginsWord(label, next)) continue;
    if (
      label[next]?.toLowerCase() === letters[done] &&
      fits(label, next + 1, letters, done + 1, false)
    )
      return true;
  }
  return false;
}

function beginsWord(label: string, at: number): boolean {
  const [before = '', letter = ''] = [label[at - 1], label[at]];
  if (at === 0 || /[._\-/]/.test(before)) return true;
  return /[A-Z]/.test(letter) && !/[A-Z]/.test(before);
}
