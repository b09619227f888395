module incore

go 1.24
