"""A page of an invented company and forty questions in plain words about it; more about pages and a report of the
sample."""

from __future__ import annotations

from tieout.data.document import Document, Table

PAGE = Document(
    id="orchard-2024",
    paragraphs=(
        "Orchard Tools Inc. sells garden tools, saws and services to dealers.",
        "The table below shows net sales by segment and selected figures (in millions, except employees):",
        "Net sales of the saws segment decreased in 2024 due to lower volumes at two large dealers and the exit from "
        "battery products.",
        "Free shipping credits represent amounts granted to dealers for orders above a threshold.",
        "The company repurchased 1.2 million shares for $36.5 million in 2024.",
        "The effective tax rate was 23.5% in 2024 and 21.0% in 2023.",
        "Our chief executive officer is Marta Lindqvist.",
    ),
    before=2,
    tables=(
        Table(
            rows=(
                ("", "2024", "2023", "2022", "2021"),
                ("Net sales:", "", "", "", ""),
                ("Garden tools", "$ 412.0", "$ 398.5", "$ 371.2", "$ 350.0"),
                ("Saws", "205.3", "231.8", "226.0", "219.4"),
                ("Services", "88.9", "71.4", "60.1", "52.7"),
                ("Total net sales", "706.2", "701.7", "657.3", "622.1"),
                ("Operating income", "91.8", "84.2", "75.6", "70.1"),
                ("Interest expense", "12.4", "13.1", "9.8", "8.5"),
                ("Capital expenditures", "33.0", "41.5", "29.9", "24.4"),
                ("Employees", "2,310", "2,280", "2,145", "2,060"),
            )
        ),
    ),
)

# A company with noncontrolling interests: its statements, and the lines that other lines are taken for.
GROUP = Document(
    id="ridgewell-2023",
    paragraphs=(
        "Ridgewell Group plc and subsidiaries.",
        "We employed 12,400 people at December 31, 2023.",
        "Goodwill of $12 million was reallocated to the Northern segment in 2021.",
        "Advertising expense was $95 million in 2023 and $90 million in 2022.",
        "Net sales rose 6% in 2023 because of higher prices in the Northern segment.",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("(in millions)", "2023", "2022", "2021"),
                ("Net sales", "$ 5,210", "$ 4,905", "$ 4,610"),
                ("Cost of sales", "3,310", "3,050", "2,900"),
                ("Gross profit", "1,900", "1,855", "1,710"),
                ("Operating income", "610", "655", "590"),
                ("Interest expense", "(80)", "(71)", "(66)"),
                ("Income before income taxes", "530", "584", "524"),
                ("Income tax provision", "121", "131", "118"),
                ("Net income", "409", "453", "406"),
                ("Less: net income attributable to noncontrolling interests", "(34)", "(29)", "(25)"),
                ("Net income attributable to Ridgewell", "$ 375", "$ 424", "$ 381"),
            ),
        ),
        Table(
            rows=(
                ("(in millions)", "December 31, 2023", "December 31, 2022"),
                ("Cash and cash equivalents", "$ 402", "$ 377"),
                ("Accounts receivable, net of allowance of $ 12 and $ 10", "610", "575"),
                ("Inventories", "720", "744"),
                ("Total current assets", "1,732", "1,696"),
                ("Goodwill", "1,215", "1,190"),
                ("Total assets", "$ 5,300", "$ 5,150"),
                ("Accounts payable", "$ 455", "$ 430"),
                ("Short-term borrowings", "-", "$ 40"),
                ("Total current liabilities", "1,100", "1,050"),
                ("Long-term debt", "1,350", "1,400"),
                ("Total equity", "2,450", "2,300"),
            ),
        ),
        Table(
            rows=(
                ("(in millions)", "2023", "2022", "2021"),
                ("Net income", "$ 409", "$ 453", "$ 406"),
                ("Depreciation and amortization", "230", "221", "214"),
                ("Accounts receivable", "(35)", "12", "(41)"),
                ("Accounts payable", "25", "(18)", "33"),
                ("Net cash provided by operating activities", "640", "655", "610"),
                ("Capital expenditures", "(260)", "(240)", "(225)"),
                ("Net cash used in investing activities", "(290)", "(250)", "(230)"),
                ("Restructuring payments", "(30)", "(22)", "(18)"),
                ("Dividends paid", "(150)", "(140)", "(130)"),
                ("Net cash used in financing activities", "(325)", "(378)", "(340)"),
                ("Cash and cash equivalents at end of year", "402", "377", "350"),
            ),
        ),
        Table(
            rows=(
                (
                    "(in millions)",
                    "Three months ended December 31, 2023",
                    "Three months ended September 30, 2023",
                    "Three months ended June 30, 2023",
                ),
                ("Net sales", "$ 1,390", "$ 1,300", "$ 1,290"),
                ("Operating income", "150", "160", "155"),
            ),
        ),
        Table(
            rows=(
                ("Segments (in millions)", "2023", "2022"),
                ("Net sales:", "", ""),
                ("Northern", "3,100", "2,950"),
                ("Southern", "2,110", "1,955"),
                ("Total net sales", "5,210", "4,905"),
                ("Operating income:", "", ""),
                ("Northern", "420", "440"),
                ("Southern", "230", "245"),
                ("Corporate", "(40)", "(30)"),
                ("Total operating income", "610", "655"),
            ),
        ),
        Table(
            rows=(
                ("Income tax provision (in millions)", "2023", "2022"),
                ("Current:", "", ""),
                ("Federal", "80", "85"),
                ("State", "15", "16"),
                ("Foreign", "20", "22"),
                ("Deferred:", "", ""),
                ("Federal", "4", "6"),
                ("State", "1", "1"),
                ("Foreign", "1", "1"),
                ("Total", "121", "131"),
            ),
        ),
        Table(
            rows=(
                ("Per share (shares in millions)", "2023", "2022", "2021"),
                ("Basic earnings per share", "$ 2.51", "$ 2.80", "$ 2.49"),
                ("Diluted earnings per share", "$ 2.48", "$ 2.76", "$ 2.45"),
                ("Weighted average shares, basic", "149.4", "151.4", "153.0"),
                ("Weighted average shares, diluted", "151.2", "153.6", "155.5"),
                ("Dividends declared per share", "$ 1.00", "$ 0.92", "$ 0.85"),
                ("Gross margin", "36.5%", "37.8%", "37.1%"),
            ),
        ),
        Table(
            rows=(
                ("Maturities of long-term debt (in millions)", "Amount"),
                ("2024", "$ 200"),
                ("2025", "250"),
                ("2026", "300"),
                ("Thereafter", "600"),
                ("Total", "$ 1,350"),
            ),
        ),
    ),
)

# A chain of shops: tables of notes, of which a line is what its headings and its total make of it.
SHOPS = Document(
    id="larkfield-2024",
    paragraphs=(
        "Larkfield Stores Inc.",
        "We operated 214 stores at December 31, 2024.",
        "Rent expense was $48 million in 2024 and $45 million in 2023.",
        "The discount rate of the pension plan was 5.2% in 2024.",
        "Under the merger agreement 62% of the purchase price of $310 million was paid in cash in 2024.",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("(in millions, except per share amounts)", "2024", "2023", "2022"),
                ("Net sales", "$ 2,480", "$ 2,395", "$ 2,310"),
                ("Cost of goods sold", "(1,560)", "(1,500)", "(1,462)"),
                ("Selling expenses", "(610)", "(655)", "(640)"),
                ("Operating income", "310", "240", "208"),
                ("Operating margin", "12.5%", "10.0%", "9.0%"),
                ("Income from continuing operations", "212", "160", "140"),
                ("Loss from discontinued operations", "(12)", "-", "(5)"),
                ("Net income", "$ 200", "$ 160", "$ 135"),
                ("Basic earnings per share", "$ 4.00", "$ 3.10", "$ 2.60"),
                ("Dividends declared per share", "1.20", "1.10", "1.00"),
            ),
        ),
        Table(
            rows=(
                ("(in millions, except share data)", "December 31, 2024", "December 31, 2023"),
                ("Cash", "$ 150", "$ 131"),
                ("Receivables, less allowance of $ 9 and $ 7", "88", "80"),
                ("Inventories", "402", "390"),
                ("Total assets", "1,900", "1,840"),
                ("Trade payables", "210", "205"),
                ("Total liabilities", "900", "880"),
                (
                    "Common stock, $ 1 par value; 90,000,000 shares authorized; 50,100,000 and 51,300,000 issued",
                    "50",
                    "51",
                ),
                ("Total equity", "1,000", "960"),
            ),
        ),
        Table(
            rows=(
                ("Net sales by region (in millions)", "2024", "% of total", "2023", "% of total"),
                ("North", "$ 1,240", "50%", "$ 1,220", "51%"),
                ("South", "744", "30%", "700", "29%"),
                ("Online", "496", "20%", "475", "20%"),
                ("Total", "$ 2,480", "100%", "$ 2,395", "100%"),
            ),
        ),
        Table(
            rows=(
                ("Lease payments due (in millions)", "2025", "2026", "2027", "Thereafter", "Total"),
                ("Operating leases", "$ 51", "$ 44", "$ 36", "$ 120", "$ 251"),
                ("Finance leases", "6", "5", "4", "9", "24"),
            ),
        ),
        Table(
            rows=(
                ("Property and equipment (in millions)", "December 31, 2024", "December 31, 2023"),
                ("Land", "$ 90", "$ 88"),
                ("Buildings", "310", "295"),
                ("Fixtures", "205", "190"),
                ("Total", "605", "573"),
                ("Accumulated depreciation", "(240)", "(215)"),
                ("Property and equipment, net", "$ 365", "$ 358"),
            ),
        ),
        Table(
            rows=(
                ("Quarterly results (in millions)", "Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024"),
                ("Net sales", "$ 560", "$ 600", "$ 620", "$ 700"),
                ("Operating income", "60", "70", "75", "105"),
            ),
        ),
        Table(
            rows=(
                ("Debt (in millions)", "December 31, 2024", "December 31, 2023"),
                ("4.5% notes", "$ 120", "$ 150"),
                ("6.25% bonds", "80", "80"),
            ),
        ),
    ),
)

# A bank: rates beside amounts, parts under headings and behind totals, amounts inside labels, what falls due by row.
BANK = Document(
    id="stonequay-2024",
    paragraphs=(
        "Stonequay Bancorp.",
        "The bank had 1,850 employees and 96 branches at December 31, 2024.",
        "Noninterest expense includes $14 million of severance in 2024.",
        "We expect capital expenditures of $60 million in 2025.",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                ("(in millions, except per share amounts)", "Year ended June 30, 2024", "Year ended June 30, 2023"),
                ("Interest income:", "", ""),
                ("Loans", "$ 820", "$ 760"),
                ("Securities", "140", "150"),
                ("Total interest income", "960", "910"),
                ("Interest expense:", "", ""),
                ("Deposits", "210", "160"),
                ("Borrowings", "90", "80"),
                ("Total interest expense", "300", "240"),
                ("Net interest income", "660", "670"),
                ("Provision for credit losses", "45", "60"),
                ("Noninterest expense", "410", "400"),
                ("Income before income taxes", "205", "210"),
                ("Income tax expense", "41", "44"),
                ("Net income", "$ 164", "$ 166"),
                ("Net income per share", "1.64", "1.60"),
                ("Weighted average shares", "100.0", "103.8"),
                ("Effective tax rate", "20.0%", "21.0%"),
            ),
        ),
        Table(
            rows=(
                ("(in millions)", "June 30, 2024", "June 30, 2023", "June 30, 2022"),
                ("Cash and due from banks", "$ 300", "$ 280", "$ 310"),
                ("Loans, including nonaccrual loans of $ 40, $ 36 and $ 31", "14,200", "13,600", "13,000"),
                ("Securities", "5,100", "5,400", "5,900"),
                ("Total assets", "21,000", "20,500", "20,300"),
                ("Deposits", "17,000", "16,800", "16,700"),
                ("Long-term debt", "1,500", "1,450", "1,400"),
                ("Total liabilities", "19,000", "18,600", "18,500"),
                ("Total shareholders' equity", "2,000", "1,900", "1,800"),
            ),
        ),
        Table(
            rows=(
                ("(in millions)", "Average balance", "Interest", "Rate"),
                ("Loans", "$ 13,900", "$ 820", "5.90%"),
                ("Securities", "5,250", "140", "2.67%"),
                ("Deposits", "16,900", "210", "1.24%"),
            ),
        ),
        Table(
            rows=(
                ("Maturities of debt (in millions)", "Notes", "Bonds", "Total"),
                ("2025", "$ 100", "$ 50", "$ 150"),
                ("2026", "200", "-", "200"),
                ("2027", "300", "150", "450"),
                ("Thereafter", "400", "300", "700"),
            ),
        ),
        Table(
            rows=(
                ("(in millions)", "2024", "2023"),
                ("Retail:", "", ""),
                ("Revenue", "$ 500", "$ 520"),
                ("Net income", "90", "95"),
                ("Wholesale:", "", ""),
                ("Revenue", "$ 280", "$ 270"),
                ("Net income", "74", "71"),
            ),
        ),
        Table(
            rows=(
                ("Three months ended (in millions)", "June 30, 2024", "March 31, 2024", "June 30, 2023"),
                ("Net interest income", "$ 170", "$ 165", "$ 168"),
                ("Net income", "45", "40", "42"),
                ("Net interest margin", "3.2%", "3.1%", "3.3%"),
            ),
        ),
    ),
)

# question, what is right: an answer as its texts, or `back` for a question back or a decline, with a word that it names
QUESTIONS: tuple[tuple[str, str], ...] = (
    ("What was the operating income in 2023?", "84.2"),
    ("What were total net sales in 2024?", "706.2"),
    ("How much did Orchard spend on capital expenditures in 2022?", "29.9"),
    ("What was the intrest expense in 2021?", "8.5"),
    ("whats the operating incme for 2022", "75.6"),
    ("What were net sales of garden tools in 2023?", "398.5"),
    ("How many employees were there in 2023?", "2280"),
    ("By how much did operating income change from 2023 to 2024?", "7.6"),
    ("What was the percentage change in total net sales between 2023 and 2024?", "0.64"),
    ("What is the growth rate of services in 2024?", "24.51"),
    ("What was the average operating income from 2021 to 2024?", "80.425"),
    ("What was the average interest expense for 2023 and 2024?", "12.75"),
    ("What is the sum of capital expenditures from 2022 to 2024?", "104.4"),
    ("What were the capital expenditures over the last three years in total?", "104.4"),
    ("How much was spent on capital expenditures over 2022, 2023 and 2024 together?", "104.4"),
    ("capital expenditures, total of 2022, 2023 and 2024", "104.4"),
    ("What percentage of total net sales were services in 2024?", "12.59"),
    ("What is the ratio of operating income to interest expense in 2024?", "7.40"),
    ("What is operating income as a percentage of total net sales in 2024?", "13.00"),
    ("What is the difference between garden tools and saws in 2024?", "206.7"),
    ("In which year was interest expense the highest?", "2023"),
    ("In which year was operating income the lowest?", "2021"),
    ("Which year had the largest capital expenditures?", "2023"),
    ("In which years did total net sales exceed 700 million?", "2023 2024"),
    ("How many years did operating income exceed $75 million?", "3"),
    ("How many years was interest expense below 10 million?", "2"),
    ("Which segment had the highest net sales in 2024?", "Garden tools"),
    ("What were the net sales of services in 2022, 2023 and 2024, respectively?", "60.1 71.4 88.9"),
    ("What was operating income in 2023 and 2024?", "84.2 91.8"),
    ("Did operating income increase in 2024?", "yes"),
    ("Did saws increase from 2023 to 2024?", "no"),
    ("Was interest expense lower in 2024 than in 2023?", "yes"),
    ("What was the effective tax rate in 2024?", "23.5"),
    ("How much did the company pay for repurchased shares in 2024?", "36.5"),
    ("Why did net sales of saws decrease in 2024?", "due to lower volumes"),
    ("What do free shipping credits represent?", "amounts granted to dealers"),
    ("What was EBITDA in 2024?", "back ebitda"),
    ("What were net sales in Germany in 2024?", "back germany"),
    ("What was the operating income in 2017?", "back 2017"),
    ("What were the dividends paid in 2023?", "back dividends"),
    ("What was operating income per store in 2024?", "back store"),
    ("What was the backlog at the end of 2024?", "back backlog"),
)

# The same about two pages of the sample, by a part of their name.
OF_SAMPLE: dict[str, tuple[tuple[str, str], ...]] = {
    "Single_NORVALE/2013/page_35": (
        ("How much was gross profit in 2012?", "1604"),
        ("whats the intrest expense in 2013", "-57"),
        ("By how much did net income fall from 2012 to 2013?", "45.4"),
        ("What was the growth in net sales in 2012, in percent?", "6.21"),
        ("Which year had the highest operating income?", "2012"),
        ("In which years did net sales exceed 4.3 billion?", "2012 2013"),
        ("Did net income increase in 2013?", "no"),
        ("What were net sales in 2011, 2012 and 2013?", "4218.6 4480.5 4391"),
        ("What was the average net income from 2011 to 2013?", "357.77"),
        ("What is research and development as a percentage of net sales in 2013?", "2.98"),
        ("How much of the restructuring charges was severance?", "25.1"),
        ("What were net sales in Brazil in 2013?", "back brazil"),
        ("What was the net income in 2009?", "back 2009"),
        ("What is the operating income per employee in 2013?", "back employee"),
        ("What was the free cash flow in 2013?", "back flow"),
    ),
    "Single_KELVANE/2011/page_49": (
        ("How many employees were there at the end of 2011?", "9650"),
        ("What were insurance premiums in 2010?", "920"),
        ("Why did insurance premiums fall?", "sale of the marine book"),
        ("Which source had the lowest net revenues in 2011?", "investment gains"),
        ("What share of total net revenues was consumer lending in 2011?", "50"),
        ("Did asset management fees decrease in 2011?", "no"),
        ("How many years did investment gains exceed $200 million?", "1"),
        ("What was the effective tax rate in 2010?", "32.8"),
        ("What was the sum of insurance premiums and investment gains in 2011?", "1040"),
        ("What were deposits in 2011?", "back deposits"),
        ("What were the total net revenues in 2015?", "back 2015"),
    ),
}
# And about the whole report of the sample.
OF_REPORT: tuple[tuple[str, str], ...] = (
    ("What was operating income in 2023?", "645"),
    ("What is the gross margin in 2024?", "43.33"),
    ("How much did net income grow from 2023 to 2024 in percent?", "6.77"),
    ("What were total assets at the end of 2024?", "4538"),
    ("What was goodwill in 2023?", "845"),
    ("What was the revenue in 2022?", "2801"),
    ("What were net sales in Mexico in 2024?", "back mexico"),
    ("What was net income in 2012?", "back 2012"),
    ("What were deposits in 2024?", "back deposits"),
)

# A mill: lines of one name under two headings, costs printed as what is taken off, a tax that is once a benefit, shares
# and amounts per share under labels that name neither, and causes of several years.
MILL = Document(
    id="teasel-2024",
    coded=False,
    paragraphs=(
        "Teasel Mills Inc. spins and dyes wool.",
        "Consolidated Statements of Operations",
        "Consolidated Balance Sheets",
        "Net sales fell in 2023 because of a strike at the dye works.",
        "Net sales rose in 2024 because of two new looms.",
        "The strike cost $14 million in 2023 and $6 million in 2022.",
    ),
    before=3,
    tables=(
        Table(
            rows=(
                ("(in millions, except per share data)", "2024", "2023", "2022"),
                ("Net sales", "$ 640", "$ 590", "$ 620"),
                ("Cost of sales", "(410)", "(395)", "(400)"),
                ("Dyeing costs", "(52)", "(47)", "(50)"),
                ("Profit after costs of dyeing for others", "(3)", "(8)", "(4)"),
                ("Return on wool", "8.5%", "7.0%", "7.4%"),
                ("Income before income taxes", "90", "40", "70"),
                ("Income taxes", "(20)", "(5)", "(15)"),
                ("Net income", "$ 70", "$ 45", "$ 55"),
                ("Earnings per share:", "", "", ""),
                ("Basic", "$ 1.40", "$ 0.90", "$ 1.10"),
                ("Diluted", "$ 1.35", "$ 0.88", "$ 1.07"),
                ("Weighted average shares outstanding:", "", "", ""),
                ("Basic", "50", "50", "50"),
                ("Diluted", "52", "51", "51.5"),
                ("Dividends declared per share", "$ 0.40", "$ 0.36", "$ 0.36"),
            ),
            after=1,
            title="Consolidated Statements of Operations",
        ),
        Table(
            rows=(
                ("(dollars in millions)", "December 31, 2024", "December 31, 2023"),
                ("Current assets:", "", ""),
                ("Cash and cash equivalents", "60", "55"),
                ("Total current assets", "160", "150"),
                ("Total assets", "700", "660"),
                ("Current liabilities:", "", ""),
                ("Accounts payable", "45", "41"),
                ("Operating lease liabilities", "8", "7"),
                ("Borrowings", "12", "10"),
                ("Total current liabilities", "95", "88"),
                ("Operating lease liabilities", "31", "33"),
                ("Borrowings", "140", "150"),
                ("Total liabilities", "290", "285"),
                ("Total shareholders' equity", "410", "375"),
            ),
            after=2,
            title="Consolidated Balance Sheets",
        ),
        Table(
            rows=(
                ("Wool spun by plant (tons)", "2024", "2023", "2022"),
                ("Northmoor", "310", "290", "300"),
                ("Estuary", "190", "170", "180"),
                ("Total", "500", "460", "480"),
            ),
            after=2,
        ),
        Table(
            rows=(
                ("(in millions)", "2026", "2025"),
                ("Ceiling of borrowings agreed with banks", "$ 250", "$ 230"),
            ),
            after=2,
            title="Agreed borrowings",
        ),
        Table(
            rows=(
                ("(in millions)", "2025", "2026", "2027"),
                ("Payments", "$ 12", "$ 60", "$ 80"),
            ),
            after=2,
            title="Maturities of borrowings",
        ),
    ),
)

# A harbour: a fiscal year that ends in March, parts of it, and lines that only what stands over or beside them tells
# apart: parts under their own names, rates beside amounts, columns of changes, amounts inside labels.
HARBOUR = Document(
    id="selwick-2024",
    coded=False,
    paragraphs=(
        "Selwick Harbour Inc. runs quays and tugs.",
        "Consolidated Statements of Operations",
        "Consolidated Balance Sheets",
        "Brent Oil accounted for 14% of revenue in fiscal 2024 and paid $ 44 million.",
        "Dredging fees were $9.5 million in 2024, and the rate of dredging fees was 3.2%.",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                (
                    "(in millions, except per share data)",
                    "Year ended March 31, 2024",
                    "Year ended March 31, 2023",
                    "Year ended March 31, 2022",
                ),
                ("Revenue:", "", "", ""),
                ("Services", "$ 260", "$ 240", "$ 220"),
                ("Rents", "55", "50", "46"),
                ("Total revenue", "315", "290", "266"),
                ("Cost of revenue", "(180)", "(170)", "(160)"),
                ("Pilotage and mooring", "(22)", "(19)", "(18)"),
                ("Settlement of claims", "(4)", "6", "-"),
                ("Interest, net", "(11)", "(9)", "2"),
                ("Income before income taxes", "98", "98", "90"),
                ("Income tax", "(24)", "3", "(20)"),
                ("Net income", "$ 74", "$ 101", "$ 70"),
                ("Diluted Earnings Per Common Share:", "", "", ""),
                ("Net income", "$ 2.96", "$ 4.04", "$ 2.80"),
                ("Dividends declared ($ 1.20, $ 1.10 and $ 1.00 per share)", "30", "28", "25"),
            ),
            after=1,
            title="Consolidated Statements of Operations",
        ),
        Table(
            rows=(
                ("(in millions, except share data)", "March 31, 2024", "March 31, 2023"),
                ("Cash and cash equivalents", "$ 62", "$ 58"),
                ("Inventories", "21", "19"),
                ("Total current assets", "120", "110"),
                ("Total assets", "640", "600"),
                ("Total current liabilities", "80", "75"),
                ("Long-term debt", "200", "210"),
                ("Total liabilities", "330", "325"),
                ("Total shareholders' equity", "310", "275"),
            ),
            after=2,
            title="Consolidated Balance Sheets",
        ),
        Table(
            rows=(
                (
                    "(in millions)",
                    "Three months ended June 30, 2023",
                    "Six months ended September 30, 2023",
                    "Nine months ended December 31, 2023",
                    "Three months ended June 30, 2022",
                    "Six months ended September 30, 2022",
                    "Nine months ended December 31, 2022",
                ),
                ("Total revenue", "$ 70", "$ 148", "$ 230", "$ 66", "$ 138", "$ 212"),
                ("Net income", "15", "33", "54", "20", "46", "75"),
            ),
            after=2,
            title="Consolidated Statements of Operations by part of the year",
        ),
        Table(
            rows=(
                ("Results by business (in millions)", "2024", "% of total", "2023", "% change"),
                ("Quays:", "", "", "", ""),
                ("Quays", "$ 190", "60%", "$ 180", "6%"),
                ("Operating income", "70", "62%", "66", "6%"),
                ("Tugs:", "", "", "", ""),
                ("Tugs", "125", "40%", "110", "14%"),
                ("Operating income", "43", "38%", "44", "(2)%"),
                ("Total revenue", "315", "100%", "290", "9%"),
            ),
            after=3,
        ),
        Table(
            rows=(
                ("Measures", "2024", "2023", "Change"),
                ("Gross margin", "42.9%", "41.4%", "1.5%"),
                ("Current ratio", "1.50", "1.47", "0.03"),
                ("Book value per share", "$ 12.40", "$ 11.00", "$ 1.40"),
                ("Free cash flow", "51", "47", "4"),
                ("Return on equity", "23.9%", "$ 41", "3"),
                ("Employees", "1,210", "1,170", "3.4%"),
                ("Vessels served", "5,400", "5,150", "4.9%"),
            ),
            after=3,
            title="Measures of the business",
        ),
        Table(
            rows=(
                ("Debt falling due (in millions)", "Amount"),
                ("2025", "$ 20"),
                ("2026", "30"),
                ("After 2026", "150"),
                ("Total", "$ 200"),
            ),
            after=3,
        ),
        Table(
            rows=(
                ("(in millions)", "2024", "2023"),
                ("Balance at beginning of year", "$ 40", "$ 36"),
                ("Additions", "9", "8"),
                ("Releases", "(6)", "(4)"),
                ("Balance at end of year", "$ 43", "$ 40"),
            ),
            after=4,
            title="Provision for dredging",
        ),
    ),
)

# A mine: a release that prints the quarter before the year, columns of percents and of changes beside amounts, costs
# above zero with a line below it, tax by kind, and a goodwill that is led from one balance to the next.
MINE = Document(
    id="corrib-2024",
    coded=False,
    paragraphs=(
        "Corrib Mining Inc. digs zinc.",
        "Consolidated Statements of Operations",
        "Consolidated Balance Sheets",
        "Consolidated Statements of Cash Flows",
        "Shaft repairs cost $7 million in 2024.",
    ),
    before=1,
    tables=(
        Table(
            rows=(
                (
                    "(in millions, except per share data)",
                    "Three months ended December 31, 2024",
                    "Three months ended December 31, 2023",
                    "Year ended December 31, 2024",
                    "Year ended December 31, 2023",
                    "Year ended December 31, 2022",
                ),
                ("Revenue", "$ 130", "$ 120", "$ 500", "$ 470", "$ 430"),
                ("Cost of revenue", "80", "76", "310", "300", "280"),
                ("Reversal of shaft accruals", "(1)", "(1)", "(3)", "(5)", "(4)"),
                ("Gains on trucks, net", "(2)", "1", "(6)", "4", "2"),
                ("Operating income", "40", "35", "140", "120", "110"),
                ("Income tax expense", "10", "9", "35", "30", "27"),
                ("Net income", "$ 30", "$ 26", "$ 105", "$ 90", "$ 83"),
                ("Earnings per share:", "", "", "", "", ""),
                ("Basic", "0.60", "0.52", "2.10", "1.80", "1.66"),
                ("Diluted", "0.59", "0.51", "2.06", "1.76", "1.63"),
            ),
            after=1,
            title="Consolidated Statements of Operations",
        ),
        Table(
            rows=(
                ("(in millions)", "December 31, 2024", "December 31, 2023"),
                ("Cash and cash equivalents", "$ 45", "$ 39"),
                ("Inventories", "62", "58"),
                ("Total current assets", "150", "140"),
                ("Total assets", "800", "760"),
                ("Total current liabilities", "100", "95"),
                ("Total liabilities", "420", "400"),
                ("Total shareholders' equity", "380", "360"),
            ),
            after=2,
            title="Consolidated Balance Sheets",
        ),
        Table(
            rows=(
                ("(in millions)", "2024", "2023", "2022"),
                ("Net cash provided by operating activities", "$ 160", "$ 150", "$ 140"),
                ("Payments for shafts", "(12)", "(10)", "(9)"),
                ("Capital expenditures", "(70)", "(66)", "(60)"),
                ("Dividends paid", "(25)", "(22)", "(20)"),
            ),
            after=3,
            title="Consolidated Statements of Cash Flows",
        ),
        Table(
            rows=(
                ("Income tax expense (in millions)", "2024", "2023", "Rate in 2024", "Rate in 2023"),
                ("Current:", "", "", "", ""),
                ("Federal", "$ 20", "$ 18", "14%", "15%"),
                ("State", "6", "4", "4%", "3%"),
                ("Deferred:", "", "", "", ""),
                ("Federal", "9", "8", "6%", "7%"),
                ("Total", "$ 35", "$ 30", "24%", "25%"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("Income tax expense by quarter (in millions)", "Q1 2024", "Q2 2024"),
                ("Current:", "", ""),
                ("Federal", "$ 4", "$ 5"),
                ("Deferred:", "", ""),
                ("Federal", "2", "3"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("(in millions)", "Amount"),
                ("Balance at December 31, 2022", "$ 70"),
                ("Acquired", "5"),
                ("Balance at December 31, 2023", "75"),
                ("Acquired", "8"),
                ("Balance at December 31, 2024", "$ 83"),
            ),
            after=4,
            title="Goodwill",
        ),
        Table(
            rows=(
                ("Measures of the mine", "2024", "2023", "Change in 2024"),
                ("Current ratio", "1.50", "1.47", "0.03"),
                ("Debt to equity", "111%", "111%", "2%"),
                ("EBITDA", "190", "169", "21"),
                ("Average grade of zinc", "8.1%", "7.9%", "0.2%"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("People and costs (in millions, except employees)", "2024", "2023", "Change in 2024"),
                ("Number of employees", "1,210", "1,170", "3.4%"),
                ("Employees", "$ 88", "$ 84", "4.8%"),
                ("Energy", "52", "50", "4.0%"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("Revenue by segment (in millions)", "2024", "2023", "Share in 2024", "Share in 2023"),
                ("Northern shaft", "$ 310", "$ 282", "62%", "60%"),
                ("Southern shaft", "190", "188", "38%", "40%"),
                ("Total revenue", "$ 500", "$ 470", "100%", "100%"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("Results of both mines (in millions)", "2024", "2023", "Q1 2024"),
                ("Northern shaft:", "", "", ""),
                ("Revenue", "$ 310", "$ 282", "$ 75"),
                ("Operating income", "100", "84", "18"),
                ("Southern shaft:", "", "", ""),
                ("Revenue", "190", "188", "45"),
                ("Operating income", "40", "36", "15"),
            ),
            after=4,
        ),
        Table(
            rows=(
                ("Payments for leases (in millions)", "Year ending December 31, 2025", "Year ending December 31, 2026"),
                ("Trucks", "$ 11", "$ 9"),
                ("Offices", "4", "3"),
            ),
            after=4,
        ),
    ),
)

# A holding: the lines of its parts are those of the whole, and parts of parts add up under totals of their own.
HOLDING = Document(
    id="tarnholm-2024",
    paragraphs=("Tarnholm Holdings Inc. and subsidiaries.",),
    before=1,
    tables=(
        Table(
            rows=(
                ("Results of operations (in millions)", "2024", "2023", "Increase (decrease)"),
                ("Net sales", "$ 330", "$ 300", "10%"),
                ("Cost of sales", "(200)", "(190)", "5%"),
                ("Rent expense", "(12)", "(10)", "20%"),
                ("Net income (loss)", "$ 41", "$ (15)", "n/m"),
            ),
        ),
        Table(
            rows=(
                ("Results by subsidiary (in millions)", "2024", "2023"),
                ("Aldermere", "", ""),
                ("Net sales", "$ 180", "$ 170"),
                ("Operating income", "44", "40"),
                ("Impairment loss", "(8)", "(3)"),
                ("Birchwater", "", ""),
                ("Net sales", "150", "130"),
                ("Operating income", "26", "24"),
                ("Impairment loss", "(2)", "(4)"),
            ),
        ),
        Table(
            rows=(
                ("Net sales by product (in millions)", "2024", "2023"),
                ("Pumps", "$ 100", "$ 95"),
                ("Valves", "80", "75"),
                ("Total Marine Systems", "180", "170"),
                ("Cables", "60", "70"),
                ("Switches", "90", "60"),
                ("Total Power Systems", "150", "130"),
                ("Total net sales", "$ 330", "$ 300"),
            ),
        ),
        Table(
            rows=(
                ("Net sales by quarter (in millions)", "Q1 2024", "Q2 2024", "Q3 2024", "Q4 2024"),
                ("Marine Systems", "$ 50", "$ 35", "$ 46", "$ 49"),
                ("Power Systems", "30", "45", "33", "42"),
                ("Total net sales", "$ 80", "$ 80", "$ 79", "$ 91"),
            ),
        ),
    ),
)


# A chain whose fiscal years end in the calendar year behind them, and are asked for by their last days.
CHAIN = Document(
    id="wexcombe-2024",
    paragraphs=("Wexcombe Outfitters Inc. Fiscal 2024 ended February 1, 2025 and fiscal 2023 ended February 3, 2024.",),
    before=1,
    tables=(
        Table(
            rows=(
                (
                    "Statements of operations (in millions)",
                    "Fiscal Year Ended February 1, 2025",
                    "Fiscal Year Ended February 3, 2024",
                ),
                ("Net sales", "$ 640", "$ 610"),
                ("Cost of sales", "400", "390"),
                ("Operating income", "58", "51"),
            ),
        ),
        Table(
            rows=(
                ("Balance sheets (in millions)", "February 1, 2025", "February 3, 2024"),
                ("Inventories", "$ 120", "$ 131"),
                ("Total assets", "510", "498"),
                ("Total liabilities", "300", "310"),
            ),
        ),
    ),
)


SHEET = Document(
    id="sheet",
    coded=False,
    paragraphs=(),
    before=0,
    tables=(
        Table(
            rows=(
                ("(in thousands)", "2024", "2023", "2022"),
                ("Revenue", "52400", "48100", "45000"),
                ("Cost of goods sold", "31000", "29500", "28200"),
                ("Gross profit", "21400", "18600", "16800"),
                ("Operating income", "9400", "7400", "5900"),
                ("Net income", "6800", "5300", "4200"),
                ("Cash", "8200", "6100", "5000"),
                ("Accounts receivable", "7300", "6600", "6200"),
                ("Inventory", "5100", "4800", "4700"),
                ("Total assets", "60500", "55200", "51000"),
                ("Total debt", "10000", "9000", "9500"),
                ("Total equity", "35000", "30500", "27800"),
            )
        ),
    ),
)
