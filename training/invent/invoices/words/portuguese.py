"""Portuguese."""

from training.invent.invoices.words.base import words

PORTUGUESE = words(
    captions="""
title: Fatura | FATURA | Factura | Fatura-recibo | Fatura-Recibo | Fatura de venda | Fatura simplificada | A sua fatura | Nota de honorários
credit_title: Nota de crédito | NOTA DE CRÉDITO
number: Fatura n.º | N.º da fatura | Número | Fatura nº | N.º documento | Documento n.º | N.º | Nº fatura | Documento | Fatura # | Ref. | Referência | Recibo n.º | Processo n.º | Nota n.º | Conta n.º | Doc. | Aviso n.º
date: Data | Data de emissão | Data da fatura | Emitida em | Data do documento | Data doc.
due: Vencimento | Data de vencimento | Pagar até | Data limite de pagamento | Pagamento até | Débito em
order: N.º de encomenda | Encomenda | V/ encomenda | Requisição n.º | V/ Encomenda | Encomenda n.º | Requisição | Ordem de compra | V/ Ref.
customer_id: N.º de cliente | Código de cliente | Cliente n.º | N.º cliente | Cód. cliente | Conta cliente
delivery: Data de entrega | Data do serviço | Entregue em | Data de carga
period: Período | Período de faturação | Consumos de | Referente a
vendor_tax: NIF | NIPC | Contribuinte n.º | N.º contribuinte | NIF emitente | Contribuinte | CNPJ | CPF/CNPJ | CNPJ/MF
customer_tax: V/ NIF | NIF cliente | V/ contribuinte | NIF do cliente | V/ N.º contribuinte | NIF adquirente | Contribuinte cliente | CNPJ do tomador | CPF/CNPJ
bill_to: Cliente | Faturar a | Exmo.(s) Sr.(s) | Destinatário | Adquirente | Titular | Dados do cliente
ship_to: Local de entrega | Entregar em | Morada de entrega | Entregar a | Local de descarga | Local de consumo
contact: Contacto | Vendedor | Atendido por
pos: N.º | Linha | Pos. | #
code: Código | Referência | Ref. | Artigo
description: Descrição | Designação | Descrição do artigo | Serviço | Artigo | Produto | Detalhe
quantity: Quantidade | Qtd. | Quant. | Qt. | Horas | Unid.
unit: Un. | Unidade | UN
price: Preço unitário | Pr. unit. | Preço | P. unitário | Preço unit. | Pr. unitário | Tarifa | Preço un.
discount: Desc. | Desconto | % Desc.
rate: IVA | Taxa IVA | % IVA
amount: Total | Valor | Total líquido | Valor líquido | Montante | Importância
subtotal: Subtotal | Total ilíquido | Base de incidência | Total sem IVA | Total líquido | Base tributável | Incidência | Valor líquido
total_discount: Desconto | Desconto comercial | Total de descontos
tax: IVA | IVA {rate} | Total IVA | Valor do IVA | I.V.A. | IVA ({rate}) | IVA à taxa de {rate}
total_tax: Total IVA | Valor do IVA | Total de imposto | Total de IVA | IVA | Imposto | Valor IVA
tax_within: IVA incluído {rate} | IVA incluído | do qual IVA {rate} | inclui IVA de
trading: {brand} é uma marca de {name} | {brand}, marca registada de {name} | Razão social: {name} | Emitido por {name} | {brand} é explorado por {name}
regards: Com os melhores cumprimentos | Atenciosamente | Cumprimentos | A gerência | Assinatura
total: Total | Total da fatura | Total com IVA | TOTAL | Total do documento | Total a pagar | Valor total
prepaid: Adiantamento | Já pago | Sinal | Pagamentos efetuados
amount_due: Total a pagar | A pagar | Valor em dívida | Saldo | Em dívida | Valor a pagar | Por liquidar
carried: A transportar | Transporte | Soma anterior
base: Incidência | Base | Líquido
iban: IBAN | Conta (IBAN)
bic: BIC | SWIFT
bank: Banco | Dados bancários
page: Página {page} de {pages} | Pág. {page}/{pages} | {page}/{pages}
phone: Tel. | Telefone | Telef.
register: Matrícula | Capital social | C.R.C.
reference: N/ ref. | Orçamento n.º | Obra | Contrato | Guia n.º
seller: Emitente | Vendedor | Fornecedor | De | Prestador | Dados da empresa
charge: Portes de envio | Transporte | Portes | Custos de envio | Taxa de serviço
attn: A/C {name} | {name} | Departamento financeiro | Contabilidade | Ao cuidado de {name}
salutation: Sr. | Sra. | Exmo. Sr. | Exma. Sra. | Dr.
director: Gerente | Administrador | Diretor | Sócio-gerente
holder: Titular | Beneficiário | Titular da conta
detail: Preço líquido | Preço bruto | Desconto | Embalagem | EAN | N.º de série | Peso | Guia | Origem
gross: Total c/ IVA | Valor com IVA | Bruto | IVA incl.
taxed: Valor IVA | IVA | Imposto
day: Data | Dia | Data serviço
currency: Moeda | Divisa | Valores em
place_date: {place}, {date} | {place}, em {date} | {date}
other: Beneficiário | Representante fiscal | Dono da obra | Transportador | Agente | Pagador
previous: Saldo anterior | Fatura anterior | Valor em dívida anterior
payment: O seu pagamento, obrigado | Pagamentos recebidos | Pagamentos desde a última fatura
new_charges: Novos encargos | Valor desta fatura | Encargos do período
reading: N.º do contador | Leitura anterior | Leitura atual | Diferença
of_base: {rate} de {base} | {rate} sobre {base} | {rate}, base {base}
named: Nome | Empresa | Denominação | Designação social
street: Rua | Morada | Endereço | Morada linha 1
town: Localidade | CP / Localidade | Cidade | Morada linha 2
adjustment: Desconto do documento | Encargo | Descontos e encargos | Dedução
banner: Documento digitalizado {code} | Visualizador versão {version} de {day} | Listas de códigos de {day} | Original para o cliente | Recebido em {day} | Visualização de fatura eletrónica {version} | Formulário {code} | Perfil: EN 16931, {version} | Documento eletrónico sem assinatura | Copyright {day} | Arquivo n.º {code}
order_title: Nota de encomenda | ENCOMENDA | Encomenda | Ordem de compra | Pedido de compra
ordered: Encomendado | Qtd. encomendada | Enc.
open: Pendente | Em falta | Saldo
weight: Peso | Peso líquido | Peso bruto | kg
lot: Código pautal | Lote | Armazém | N.º de série | Localização | Centro de custo
slip: Talão de pagamento | Destacar e juntar ao pagamento | Aviso de pagamento
span: de {first} a {last} | {first} a {last} | de {first} até {last}
own_order: N/ encomenda | Encomenda | Ordem de trabalho | Confirmação de encomenda | Encomenda n.º | Pedido interno
begin: De | Entrada | Início | Data de início | Desde
end: Até | Saída | Fim | Data de fim | A
strange: Guia de remessa | Data da encomenda | Ref. interna | Vendedor | Obra | Cód. fornecedor | Transportadora | Contador | Armazém | ATCUD | N.º de orçamento | N.º de reserva | Vossa referência | Apólice | Matrícula | Data do orçamento | Data de impressão | Quarto | N.º do projeto | CPE | Requisição interna | Quarto | Código de verificação | Processo n.º | Inscrição estadual | Insc. municipal | N.º da reserva | Matrícula | CPE
""",
    sentences="""
intro: Faturamos os seguintes artigos e serviços: | Obrigado pela sua encomenda. Detalhe: | Serviços prestados:
numbered: Fatura n.º {number} de {date} | Fatura {number}, emitida em {date} | Fatura n.º {number} com data de {date}
terms: Pagamento a {days} dias. | Condições de pagamento: {days} dias | A liquidar no prazo de {days} dias.
discount_terms: Desconto de {percent} para pagamento em {days} dias. | {percent} a {days} dias
due_on: Pagamento até {due}. | Vence em {due}. | Agradecemos o pagamento até {due}.
thanks: Obrigado pela preferência. | Com os melhores cumprimentos | Agradecemos a sua confiança.
exempt: Isento de IVA nos termos do art. 9.º. | IVA - autoliquidação. | Transmissão intracomunitária isenta.
credit: Referente à fatura {reference}. | Anulação parcial da fatura {reference}.
total_sentence: O valor total é de {total}. | Agradecemos a transferência de {total} para a nossa conta.
pay_all: Solicitamos o pagamento de {total} até {due}. | O valor de {total} será debitado em {due}.
summary: O valor líquido é de {subtotal}, acrescido de IVA de {tax}, num total de {total}. | Líquido {subtotal}, IVA {tax}, total {total}.
note: A mercadoria é propriedade do vendedor até pagamento integral. | Processado por programa certificado. | Portes incluídos. | Guia {code}, 12 volumes, 148 kg | Horário: seg-sex 8:30-17:00 | Devoluções até {day}. | Novos preços a partir de {day}. | A próxima fatura será emitida em {day}. | Mão de obra incluída {amount}. | Conforme orçamento {code} de {day}. | Autorização {code} válida até {day}. | Poupa {amount} face à tabela. | Garantia até {day}, certificado {code}. | Capital social {amount}, matrícula {code}.
""",
    articles="""
kWh fine 0.08 0.6: Eletricidade simples | Gás natural | Acesso às redes
GB 1 15: Dados móveis adicionais | Armazenamento na nuvem
un. 2 60: Cabo USB 2 m | Esferográfica azul, caixa de 50 | Parafuso M8x40 | Lâmpada LED E27 9 W | Luvas de proteção tam. L | Puxador inox | Papel A4 80 g | Toner preto | Extensão 5 m | Caixa de primeiros socorros | Caneca impressa | Saco de terra 40 l
un. 80 2400: Cadeira de escritório | Impressora laser | Portátil 14" | Secretária regulável | Berbequim sem fios 18 V | Switch de rede 24 portas | Bomba de água | Arquivador | Câmara de vigilância | Radiador de aço | Lavatório com torneira
h fine 20 110: Consultoria | Desenvolvimento de software | Instalação | Gestão de projeto | Design gráfico | Trabalhos elétricos | Assistência técnica | Tradução | Mão de obra pintura
kg fine 1 24: Café em grão arábica | Farinha de trigo | Fio de cobre | Maçãs categoria I | Queijo curado
mês 9 420: Alojamento web | Licença de software | Limpeza de escritório | Contrato de manutenção | Aluguer de armazém | Internet fibra
dia 120 1250: Formação em empresa | Aluguer de grua com operador | Workshop | Aluguer de viatura
vg 15 900: Portes de envio | Deslocação | Colocação em serviço | Gestão de resíduos | Taxa de urgência
""",
    details="cor antracite | tamanho XL | n.º de série 4471-B | conforme pedido | garantia 2 anos | fixações incluídas | semana 23 | para a filial Norte | lote 2207-11",
    sections="Materiais | Mão de obra | Edifício A | Rés do chão | Mensalidades | Custos únicos | Encomenda de 12 de maio",
)
