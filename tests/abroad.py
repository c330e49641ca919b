"""Annual reports of invented companies in seven languages, as web pages: the same figures, as each prints them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

Line = tuple[str, float | str, float | str]


class Printed(NamedTuple):
    """One report. cover, heads: what says the year, and of which days the balance sheet is. group, point: the signs
    inside of numbers. note: over the statements. minus: how one is printed. notes: the head of the column of notes.
    titles: of the three statements, whose labels follow. prose: a sentence with an amount."""

    company: str
    cover: str
    group: str
    point: str
    note: str
    minus: str
    notes: str
    heads: tuple[str, str]
    titles: tuple[str, str, str]
    income: tuple[str, ...]
    balance: tuple[str, ...]
    cash: tuple[str, ...]
    prose: str


INCOME = ((1234.5, 1097.3), (-800.2, -730.1), (434.3, 367.2), (-210.0, -190.0), (224.3, 177.2), (-14.3, -12.2))
INCOME += ((210.0, 165.0), (-63.0, -50.0), (147.0, 115.0), (2.94, 2.3))
BALANCE = ((700.0, 650.0), (200.0, 180.0), (100.0, 90.0), (1000.0, 920.0), (600.0, 520.0), (400.0, 400.0))
BALANCE += ((1000.0, 920.0),)
CASH = ((147.0, 115.0), (80.0, 75.0), (227.0, 190.0), (-98.7, -85.0), (-98.7, -85.0), (-67.0, -60.0))
CASH += ((-118.3, -95.0), (10.0, 10.0))

REPORTS: Mapping[str, Printed] = {
    "de": Printed(
        "Musterwerk AG",
        "Geschäftsbericht für das Geschäftsjahr vom 1. Januar bis 31. Dezember 2024",
        ".",
        ",",
        "in Mio. EUR",
        "-{}",
        "Anhang",
        ("31. Dezember 2024", "31. Dezember 2023"),
        ("Konzern-Gewinn- und Verlustrechnung", "Konzernbilanz", "Konzern-Kapitalflussrechnung"),
        (
            *("Umsatzerlöse", "Umsatzkosten", "Bruttoergebnis vom Umsatz", "Vertriebskosten", "Betriebsergebnis"),
            *("Finanzergebnis", "Ergebnis vor Steuern", "Ertragsteuern", "Jahresüberschuss"),
            "Ergebnis je Aktie (unverwässert) in EUR",
        ),
        (
            *("Sachanlagen", "Vorräte", "Zahlungsmittel und Zahlungsmitteläquivalente", "Bilanzsumme", "Eigenkapital"),
            *("Summe Schulden", "Summe Eigenkapital und Schulden"),
        ),
        (
            *("Jahresüberschuss", "Abschreibungen", "Cashflow aus betrieblicher Tätigkeit"),
            *("Investitionen in Sachanlagen", "Cashflow aus Investitionstätigkeit", "Gezahlte Dividenden"),
            *("Cashflow aus Finanzierungstätigkeit", "Veränderung der Zahlungsmittel"),
        ),
        "Der Umsatz der Sparte Pumpen stieg im Geschäftsjahr 2024 um 12,5 % auf 345,6 Mio. EUR.",
    ),
    "fr": Printed(
        "Aubrac Industries S.A.",
        "Rapport annuel, exercice clos le 31 décembre 2024",
        "\u202f",
        ",",
        "(en millions d'euros)",
        "({})",
        "Notes",
        ("31 décembre 2024", "31 décembre 2023"),
        ("Compte de résultat consolidé", "Bilan consolidé", "Tableau des flux de trésorerie consolidés"),
        (
            *("Chiffre d'affaires", "Coût des ventes", "Marge brute", "Frais commerciaux", "Résultat opérationnel"),
            *("Résultat financier", "Résultat avant impôts", "Impôts sur les résultats", "Résultat net"),
            "Résultat net par action (en euros)",
        ),
        (
            *("Immobilisations corporelles", "Stocks", "Trésorerie et équivalents de trésorerie", "Total de l'actif"),
            *("Capitaux propres", "Total des passifs", "Total du passif et des capitaux propres"),
        ),
        (
            *("Résultat net", "Dotations aux amortissements", "Flux de trésorerie liés aux activités opérationnelles"),
            *("Acquisitions d'immobilisations corporelles", "Flux de trésorerie liés aux activités d'investissement"),
            *("Dividendes versés aux actionnaires", "Flux de trésorerie liés aux activités de financement"),
            "Variation de la trésorerie",
        ),
        "Le chiffre d'affaires de la division Pompes a progressé de 12,5 % en 2024, à 345,6 millions d'euros.",
    ),
    "es": Printed(
        "Industrias Almenara, S.A.",
        "Informe anual del ejercicio terminado el 31 de diciembre de 2024",
        ".",
        ",",
        "(en millones de euros)",
        "({})",
        "Notas",
        ("31 de diciembre de 2024", "31 de diciembre de 2023"),
        (
            "Cuenta de pérdidas y ganancias consolidada",
            "Balance consolidado",
            "Estado de flujos de efectivo consolidado",
        ),
        (
            *("Importe neto de la cifra de negocios", "Coste de ventas", "Margen bruto", "Gastos comerciales"),
            *("Resultado de explotación", "Resultado financiero", "Resultado antes de impuestos"),
            *("Impuesto sobre beneficios", "Resultado del ejercicio", "Beneficio básico por acción (en euros)"),
        ),
        (
            *("Inmovilizado material", "Existencias", "Efectivo y otros activos líquidos equivalentes", "Total activo"),
            *("Patrimonio neto", "Total pasivo", "Total patrimonio neto y pasivo"),
        ),
        (
            *("Resultado del ejercicio", "Amortizaciones", "Flujos de efectivo de las actividades de explotación"),
            *("Inversiones en inmovilizado material", "Flujos de efectivo de las actividades de inversión"),
            *("Dividendos pagados", "Flujos de efectivo de las actividades de financiación"),
            "Variación neta de efectivo",
        ),
        "Las ventas de bombas crecieron un 12,5 % en el ejercicio 2024 hasta los 345,6 millones de euros.",
    ),
    "it": Printed(
        "Officine Valtrebbia S.p.A.",
        "Relazione annuale, esercizio chiuso al 31 dicembre 2024",
        ".",
        ",",
        "(in milioni di euro)",
        "({})",
        "Note",
        ("31 dicembre 2024", "31 dicembre 2023"),
        ("Conto economico consolidato", "Situazione patrimoniale-finanziaria consolidata", "Rendiconto finanziario"),
        (
            *("Ricavi", "Costo del venduto", "Margine lordo", "Spese di vendita", "Risultato operativo"),
            *("Oneri finanziari netti", "Risultato prima delle imposte", "Imposte sul reddito", "Utile netto"),
            "Utile per azione base (in euro)",
        ),
        (
            *("Immobili, impianti e macchinari", "Rimanenze", "Disponibilità liquide e mezzi equivalenti"),
            *("Totale attività", "Totale patrimonio netto", "Totale passività", "Totale patrimonio netto e passività"),
        ),
        (
            *("Utile netto", "Ammortamenti", "Flusso di cassa da attività operativa"),
            *("Investimenti in immobili, impianti e macchinari", "Flusso di cassa da attività di investimento"),
            *("Dividendi pagati", "Flusso di cassa da attività di finanziamento"),
            "Variazione delle disponibilità liquide",
        ),
        "I ricavi delle pompe sono cresciuti del 12,5% nell'esercizio 2024, raggiungendo 345,6 milioni di euro.",
    ),
    "nl": Printed(
        "Veldhoek Techniek N.V.",
        "Jaarverslag over het boekjaar geëindigd op 31 december 2024",
        ".",
        ",",
        "(x € 1.000.000)",
        "-{}",
        "Toelichting",
        ("31 december 2024", "31 december 2023"),
        ("Geconsolideerde winst- en verliesrekening", "Geconsolideerde balans", "Geconsolideerd kasstroomoverzicht"),
        (
            *("Netto-omzet", "Kostprijs van de omzet", "Brutowinst", "Verkoopkosten", "Bedrijfsresultaat"),
            *("Financiële baten en lasten", "Resultaat voor belastingen", "Belastingen", "Nettowinst"),
            "Winst per aandeel (in euro)",
        ),
        (
            *("Materiële vaste activa", "Voorraden", "Liquide middelen", "Totaal activa", "Eigen vermogen"),
            *("Totaal verplichtingen", "Totaal passiva"),
        ),
        (
            *("Nettowinst", "Afschrijvingen", "Kasstroom uit operationele activiteiten"),
            *("Investeringen in materiële vaste activa", "Kasstroom uit investeringsactiviteiten"),
            *("Betaald dividend", "Kasstroom uit financieringsactiviteiten", "Mutatie geldmiddelen"),
        ),
        "De omzet van de divisie Pompen steeg in het boekjaar 2024 met 12,5% naar 345,6 miljoen euro.",
    ),
    "da": Printed(
        "Skovgaard Teknik A/S",
        "Årsrapport for regnskabsåret 1. januar - 31. december 2024",
        ".",
        ",",
        "mio. kr.",
        "-{}",
        "Note",
        ("31. december 2024", "31. december 2023"),
        ("Resultatopgørelse", "Balance", "Pengestrømsopgørelse"),
        (
            *("Nettoomsætning", "Produktionsomkostninger", "Bruttoresultat", "Distributionsomkostninger"),
            *("Resultat af primær drift", "Finansielle poster, netto", "Resultat før skat", "Skat af årets resultat"),
            *("Årets resultat", "Resultat pr. aktie (kr.)"),
        ),
        (
            *("Materielle anlægsaktiver", "Varebeholdninger", "Likvide beholdninger", "Aktiver i alt", "Egenkapital"),
            *("Gældsforpligtelser i alt", "Passiver i alt"),
        ),
        (
            *("Årets resultat", "Af- og nedskrivninger", "Pengestrømme fra driftsaktivitet"),
            *("Køb af materielle anlægsaktiver", "Pengestrømme fra investeringsaktivitet", "Betalt udbytte"),
            *("Pengestrømme fra finansieringsaktivitet", "Ændring i likvider"),
        ),
        "Omsætningen i pumper steg i 2024 med 12,5 % til 345,6 mio. kr. og var højere end i det foregående år.",
    ),
    "sv": Printed(
        "Björkholm Teknik AB",
        "Årsredovisning för räkenskapsåret 1 januari - 31 december 2024",
        " ",
        ",",
        "Mkr",
        "–{}",
        "Not",
        ("31 december 2024", "31 december 2023"),
        ("Koncernens resultaträkning", "Koncernens balansräkning", "Kassaflödesanalys"),
        (
            *("Nettoomsättning", "Kostnad för sålda varor", "Bruttoresultat", "Försäljningskostnader"),
            *("Rörelseresultat", "Finansnetto", "Resultat före skatt", "Skatt på årets resultat", "Årets resultat"),
            "Resultat per aktie (kr)",
        ),
        (
            *("Materiella anläggningstillgångar", "Varulager", "Likvida medel", "Summa tillgångar", "Eget kapital"),
            *("Summa skulder", "Summa eget kapital och skulder"),
        ),
        (
            *("Årets resultat", "Avskrivningar", "Kassaflöde från den löpande verksamheten"),
            *("Investeringar i materiella anläggningstillgångar", "Kassaflöde från investeringsverksamheten"),
            *("Utbetald utdelning", "Kassaflöde från finansieringsverksamheten", "Årets kassaflöde"),
        ),
        "Omsättningen av pumpar ökade under 2024 med 12,5 procent till 345,6 Mkr och var högre än året innan.",
    ),
}


def page(name: str) -> str:
    """The report in a language, as HTML. name: of the language, as ISO 639-1 has it."""
    told = REPORTS[name]
    years = ("2024", "2023")
    return (
        f"<html><body><h1>{told.company}</h1><p>{told.cover}</p><p>{told.prose}</p>"
        + _statement(told, 0, (told.notes, *years), told.income, INCOME)
        + _statement(told, 1, told.heads, told.balance, BALANCE)
        + _statement(told, 2, years, told.cash, CASH)
        + "</body></html>"
    )


def _statement(
    told: Printed, number: int, heads: Sequence[str], labels: Sequence[str], figures: Sequence[tuple[float, float]]
) -> str:
    has_notes = len(heads) > len(figures[0])
    rows = "".join(
        f"<tr><td>{label}</td>{f'<td>{at + 3}</td>' if has_notes else ''}"
        + "".join(f"<td>{_number(told, each)}</td>" for each in amounts)
        + "</tr>"
        for at, (label, amounts) in enumerate(zip(labels, figures, strict=True))
    )
    head = "".join(f"<th>{each}</th>" for each in ("", *heads))
    return f"<h2>{told.titles[number]}</h2><p>{told.note}</p><table><tr>{head}</tr>{rows}</table>"


def _number(told: Printed, value: float) -> str:
    digits = 2 if value < 10 and value > 0 and value != int(value) else 1
    text = f"{abs(value):,.{digits}f}".translate(str.maketrans({",": told.group, ".": told.point}))
    return told.minus.format(text) if value < 0 else text
