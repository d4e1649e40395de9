const atom = String.raw`[A-Za-z0-9!#$%&'*+\-/=?^_\x60{|}~\u0080-\uffff]+`;
const quoted = String.raw`"(?:[^"\\\n\r]|\\[\t\x20-\x7e])*"`;
const word = `(?:${atom}|${quoted})`;
const blank = String.raw`[ \t]*`;
const literal = String.raw`\[[0-9A-Fa-f.:]+\]`;
const comment = String.raw`(?:[ \t]*\((?:[^()\\]|\\.)*\))*`;
const local = `(?:${atom}(?:\\.${atom})*|${quoted})`;
const domain = `(?:${atom}(?:\\.${atom})*|${literal})`;
const specification = `${local}${blank}@${blank}${domain}`;
const plain = new RegExp(`^${blank}${specification}${comment}${blank}$`, 'u');
const phrase = `${word}(?:[ \\t]+${word}|\\.)*`;
const named = new RegExp(
  `^${blank}(?:${phrase}${blank})?<${blank}${specification}${blank}>${comment}${blank}$`,
  'u',
);

/** Whether Go's `mail.ParseAddress` takes the text: `a@b`, `Name <a@b>`. */
export function isEmailAddress(text: string): boolean {
  return plain.test(text) || named.test(text);
}
