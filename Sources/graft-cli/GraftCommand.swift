@main enum GraftCommand { static func main() {} }
