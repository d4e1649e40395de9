#!/usr/bin/env node
// Answers a case with the length of its expression; `random`, `two maps`, `kept` (an order that stays until the next
// case) and `fail` imitate a real oracle.
import { createInterface } from 'node:readline';

let maps = 0;
let kept = 0;
let before = '';

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, expression = '' } = JSON.parse(line);
  const answer = { id, result: String(expression.length) };
  if (expression === 'random') answer.result = String(process.pid);
  if (expression === 'two maps' && maps++ % 2 === 0) answer.result = 'the other way round';
  if (expression === 'kept') {
    if (line !== before) kept++;
    if (kept % 2 === 1) answer.result = 'the other way round';
  }
  before = line;
  if (expression === 'fail') answer.failure = 'no answer';
  console.log(JSON.stringify(answer));
});
