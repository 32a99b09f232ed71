import { circumstances, type FormLanguage } from '../recognition/circumstances.ts';

/** What the parties of an accident have filled in, as text. */
export type AccidentStatement = {
  language: FormLanguage;
  date: string;
  time: string;
  place: string;
  a: StatementParty;
  b: StatementParty;
};

export type StatementParty = {
  policyholder: string;
  address: string;
  make: string;
  licensePlate: string;
  insurer: string;
  policyNumber: string;
  driverName: string;
  driverFirstName: string;
  damage: string;
  remarks: string;
  /** Numbers of the circumstances, from 1. */
  circumstances: readonly number[];
};

const texts = {
  de: {
    title: 'Europäischer Unfallbericht',
    note: 'Keine Schuldanerkenntnis, sondern eine Wiedergabe des Unfallhergangs zur schnelleren Schadenregulierung.',
    date: '1. Datum des Unfalls',
    time: 'Uhrzeit',
    place: '2. Ort (Land, Straße, Haus-Nr.)',
    injured: '3. Verletzte',
    no: 'nein',
    otherDamage: '4. Andere Sachschäden',
    witnesses: '5. Zeugen (Name, Anschrift, Telefon)',
    vehicle: 'Fahrzeug',
    circumstances: '12. Unfallumstände',
    cross: 'Bitte Zutreffendes ankreuzen',
    insured: '6. Versicherungsnehmer',
    name: 'Name',
    firstName: 'Vorname',
    address: 'Anschrift',
    car: '7. Fahrzeug',
    make: 'Marke, Typ',
    plate: 'Amtl. Kennzeichen',
    insurer: '8. Versicherungsgesellschaft',
    policy: 'Vertrags-Nr.',
    driver: '9. Fahrer',
    impact: '10. Ursprünglicher Aufprallpunkt',
    damage: '11. Sichtbare Schäden',
    sketch: '13. Unfallskizze',
    remarks: '14. Meine Bemerkungen',
    signature: '15. Unterschriften der Fahrer',
  },
  en: {
    title: 'Agreed statement of facts on motor vehicle accident',
    note: 'Does not constitute an admission of liability, but a summary of identities and of the facts.',
    date: '1. Date of accident',
    time: 'Time',
    place: '2. Place (country, street, number)',
    injured: '3. Injuries',
    no: 'no',
    otherDamage: '4. Other material damage',
    witnesses: '5. Witnesses (name, address, telephone)',
    vehicle: 'Vehicle',
    circumstances: '12. Circumstances',
    cross: 'Put a cross in each relevant box',
    insured: '6. Policyholder',
    name: 'Name',
    firstName: 'First name',
    address: 'Address',
    car: '7. Vehicle',
    make: 'Make, type',
    plate: 'Registration No.',
    insurer: '8. Insurance company',
    policy: 'Policy No.',
    driver: '9. Driver',
    impact: '10. Point of initial impact',
    damage: '11. Visible damage',
    sketch: '13. Sketch of the accident',
    remarks: '14. My remarks',
    signature: '15. Signatures of the drivers',
  },
} as const;

type Labels = (typeof texts)[FormLanguage];

const margin = 28;
const width = 595 - 2 * margin;
const side = 190;

/** The European accident statement as a PDF of one page: the printed form, filled in with a typewriter's font. */
export async function accidentStatement(statement: AccidentStatement): Promise<Buffer> {
  // Loaded by the first start of a demo alone.
  const { default: PDFDocument } = await import('pdfkit');
  const t = texts[statement.language];
  const pdf = new PDFDocument({
    size: 'A4',
    margin: 0,
    info: { Title: t.title, Creator: 'Motorpool', CreationDate: new Date(0) },
  });
  const box = (x: number, y: number, w: number, h: number) =>
    pdf.lineWidth(0.7).rect(x, y, w, h).stroke('#333333');
  const label = (text: string, x: number, y: number, w: number, bold = false) =>
    pdf
      .font(bold ? 'Helvetica-Bold' : 'Helvetica', 7)
      .fillColor('#222222')
      .text(text, x, y, { width: w });
  const entry = (text: string, x: number, y: number, w: number) =>
    pdf.font('Courier', 9).fillColor('#000000').text(text, x, y, { width: w });

  pdf.font('Helvetica-Bold', 13).fillColor('#000000').text(t.title, margin, 24);
  label(t.note, margin, 41, width);

  const top = 56;
  box(margin, top, 100, 40);
  label(t.date, margin + 4, top + 4, 92);
  entry(statement.date, margin + 6, top + 20, 92);
  box(margin + 100, top, 60, 40);
  label(t.time, margin + 104, top + 4, 52);
  entry(statement.time, margin + 106, top + 20, 52);
  box(margin + 160, top, 280, 40);
  label(t.place, margin + 164, top + 4, 272);
  entry(statement.place, margin + 166, top + 20, 270);
  box(margin + 440, top, width - 440, 40);
  label(t.injured, margin + 444, top + 4, 90);
  entry(t.no, margin + 446, top + 20, 90);
  box(margin, top + 40, 220, 34);
  label(t.otherDamage, margin + 4, top + 44, 212);
  entry(t.no, margin + 6, top + 58, 212);
  box(margin + 220, top + 40, width - 220, 34);
  label(t.witnesses, margin + 224, top + 44, 300);

  const columns = top + 84;
  const height = 400;
  const right = margin + width - side;
  party(statement.a, 'A', margin);
  party(statement.b, 'B', right);
  function party(of: StatementParty, letter: 'A' | 'B', x: number) {
    const fill = letter === 'A' ? '#e4eefb' : '#fdf6d8';
    pdf.rect(x, columns, side, height).fill(fill);
    box(x, columns, side, height);
    pdf.font('Helvetica-Bold', 11).fillColor('#000000');
    pdf.text(`${t.vehicle} ${letter}`, x, columns + 5, { width: side, align: 'center' });
    let y = columns + 24;
    for (const line of partyLines(t, of)) {
      if (typeof line === 'string') {
        label(line, x + 5, y, side - 10, true);
        y += 13;
      } else {
        label(line[0], x + 5, y + 1, 68);
        entry(line[1], x + 76, y, side - 80);
        y += 17;
      }
    }
    label(t.impact, x + 5, y + 4, side - 10, true);
    pdf
      .lineWidth(0.7)
      .rect(x + 70, y + 18, 50, 24)
      .stroke('#333333');
    y += 50;
    label(t.damage, x + 5, y, side - 10, true);
    entry(of.damage, x + 8, y + 12, side - 14);
  }

  const middle = margin + side;
  const middleWidth = width - 2 * side;
  box(middle, columns, middleWidth, height);
  pdf.font('Helvetica-Bold', 8).fillColor('#000000');
  pdf.text(t.circumstances, middle, columns + 4, { width: middleWidth, align: 'center' });
  label(t.cross, middle + 26, columns + 15, middleWidth - 40);
  label('A', middle + 9, columns + 15, 10, true);
  label('B', middle + middleWidth - 14, columns + 15, 10, true);
  circumstances[statement.language].forEach((text, index) => {
    const y = columns + 28 + index * 21.5;
    for (const [of, x] of [
      [statement.a, middle + 6],
      [statement.b, middle + middleWidth - 17],
    ] as const) {
      pdf.lineWidth(0.8).rect(x, y, 11, 11).stroke('#222222');
      if (of.circumstances.includes(index + 1)) {
        pdf
          .lineWidth(1.4)
          .moveTo(x + 2, y + 2)
          .lineTo(x + 9, y + 9);
        pdf
          .moveTo(x + 9, y + 2)
          .lineTo(x + 2, y + 9)
          .stroke('#000000');
      }
    }
    pdf.font('Helvetica', 6).fillColor('#222222');
    pdf.text(`${index + 1} ${text}`, middle + 21, y, { width: middleWidth - 42 });
  });

  const sketch = columns + height + 6;
  box(margin, sketch, width, 150);
  label(t.sketch, margin + 4, sketch + 4, 200, true);
  pdf
    .lineWidth(1)
    .moveTo(margin + 60, sketch + 60)
    .lineTo(margin + 470, sketch + 60);
  pdf
    .moveTo(margin + 60, sketch + 110)
    .lineTo(margin + 470, sketch + 110)
    .stroke('#444444');
  pdf.rect(margin + 200, sketch + 70, 50, 24).stroke('#444444');
  pdf.rect(margin + 258, sketch + 76, 50, 24).stroke('#444444');

  const foot = sketch + 156;
  const half = width / 2;
  for (const [of, letter, x] of [
    [statement.a, 'A', margin],
    [statement.b, 'B', margin + half],
  ] as const) {
    box(x, foot, half, 66);
    label(`${t.remarks} (${letter})`, x + 4, foot + 4, half - 8, true);
    entry(of.remarks, x + 6, foot + 18, half - 12);
    box(x, foot + 66, half, 34);
  }
  label(t.signature, margin + 4, foot + 70, half, true);
  pdf.end();
  return Buffer.concat(await pdf.toArray());
}

function partyLines(t: Labels, of: StatementParty): (string | [label: string, text: string])[] {
  return [
    t.insured,
    [t.name, of.policyholder],
    [t.address, of.address],
    t.car,
    [t.make, of.make],
    [t.plate, of.licensePlate],
    t.insurer,
    [t.name, of.insurer],
    [t.policy, of.policyNumber],
    t.driver,
    [t.name, of.driverName],
    [t.firstName, of.driverFirstName],
  ];
}
