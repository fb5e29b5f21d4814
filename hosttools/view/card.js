// Tables of text: events, what the tool says of run and model, licences. Names are never markup.
import { numberText } from './decode.js';

function make(tag, text, ...children) {
  const element = document.createElement(tag);
  if (text) element.textContent = text;
  element.append(...children);
  return element;
}

export function fillEvents(run, holder, seek) {
  if (run.events.length === 0) {
    holder.append(make('p', 'Nothing out of the ordinary: no limit, no contact, no torque cut, no fault.'));
    return;
  }
  const table = make('table');
  for (const { time, kind, text } of run.events) {
    const dot = make('span');
    dot.className = `kind ${kind}`;
    const row = make('tr', '', make('td', `${numberText(time)} s`), make('td', '', dot, text));
    row.addEventListener('click', () => seek(time));
    table.append(row);
  }
  holder.append(table);
}

export function fillCard(run, holder, licences) {
  holder.append(make('h2', 'Command'), make('pre', run.command));
  for (const { title, lines } of run.card) {
    const table = make('table');
    for (const [name, text] of lines) table.append(make('tr', '', make('td', name), make('td', text)));
    holder.append(make('h2', title), table);
  }
  const details = make('details', '', make('summary', 'Licences of what draws this page'));
  details.append(make('pre', licences));
  holder.append(details);
}
