import ts from 'typescript';
import libraries from 'virtual:script-libraries';
import { ScriptLanguage } from './script-language.js';
import type { ScriptAnswer, ScriptQuestion } from './script-service.js';

// TypeScript takes a second to begin, and some milliseconds per question: the page does not wait for either.
const language = new ScriptLanguage(ts, libraries);

function answer({ kind, text, declarations, position }: ScriptQuestion): unknown {
  switch (kind) {
    case 'check':
      return language.check(text, declarations);
    case 'complete':
      return language.complete(text, declarations, position);
    case 'hint':
      return language.hint(text, declarations, position);
  }
}

self.addEventListener('message', ({ data }: MessageEvent<ScriptQuestion>) => {
  let reply: ScriptAnswer;
  try {
    reply = { id: data.id, value: answer(data) };
  } catch (error) {
    reply = { id: data.id, error: String(error) };
  }
  self.postMessage(reply);
});
